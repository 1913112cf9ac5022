package main

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/operation"
)

// bundledName is the collection that comes with the program, where no file has this name; with a task
// (bundled:ged) it is the model.
const bundledName = "bundled"

// isBundled reports whether an argument names the bundled collection.
func isBundled(arg string) bool { return arg == bundledName && !isFile(arg) }

// bundledTask returns the task of the bundled model that an argument names, if it names one.
func bundledTask(arg string) (task string, is bool) {
	task, is = strings.CutPrefix(arg, bundledName+":")
	return task, is && !isFile(arg)
}

// loadModel reads a model, of a file or of those that come with the program.
func loadModel(name string) (*model.Model, error) {
	if task, is := bundledTask(name); is {
		t, err := operation.Task(task)
		if err != nil || task == "" {
			return nil, usageError(fmt.Sprintf("%s: the models that come with the program are bundled:ged and "+
				"bundled:sed", name))
		}
		return bundle.Model(t)
	}
	m, err := model.Load(name)
	if errors.Is(err, os.ErrNotExist) {
		err = missing(name)
	}
	if errors.Is(err, model.ErrFormat) || errors.Is(err, errNoFile) {
		err = fmt.Errorf("%w; %s", err, whatModels)
	}
	return m, err
}

// whatModels says where models are from.
const whatModels = "greed train makes models, and bundled:ged and bundled:sed come with the program"

// loadIndexable is [loadModel] for models that can search.
func loadIndexable(name string) (*model.Model, error) {
	m, err := loadModel(name)
	if err == nil {
		if err = m.CheckIndexable(); err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// loadModels reads models, each once.
func loadModels(names []string) ([]*model.Model, error) {
	var list []*model.Model
	for _, name := range names {
		m, err := loadIndexable(name)
		if err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, nil
}

// existingModel maps arguments of the type "model": files that exist, and names of bundled models.
func existingModel() kong.Mapper {
	file := existing("existingfile")
	return kong.MapperFunc(func(ctx *kong.DecodeContext, target reflect.Value) error {
		if name, ok := ctx.Scan.Peek().Value.(string); ok {
			if _, is := bundledTask(name); is {
				ctx.Scan.Pop()
				if target.Kind() == reflect.Slice { // of a flag that may be repeated
					target.Set(reflect.Append(target, reflect.ValueOf(name)))
				} else {
					target.SetString(name)
				}
				return nil
			}
		}
		err := file.Decode(ctx, target)
		if errors.Is(err, errNoFile) {
			err = fmt.Errorf("%w; %s", err, whatModels)
		}
		return err
	})
}
