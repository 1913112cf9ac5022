package baseline

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/greedgraph/greed/edit"
)

// FuzzParse: whatever a file holds, reading it is no more than an error.
func FuzzParse(f *testing.F) {
	data, _ := tenPairs(edit.GED, false, true)
	l := newLearner(gennDesign(), edit.GED, edit.Uniform())
	must(l.Fit(context.Background(), data, Options{Steps: 1}))
	var b bytes.Buffer
	must(l.write(&b))
	whole := b.Bytes()
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add(bytes.Replace(whole, []byte(`\"nodes\":4`), []byte(`\"nodes\":9`), 1))
	f.Add(bytes.Replace(whole, []byte("genn"), []byte("nscc"), 1))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := parse(data)
		if err == nil && s.Parameters() == 0 {
			t.Error("a system without parameters was read")
		}
	})
}

func TestLoadSaysWhatIsWrong(t *testing.T) {
	path := filepath.Join(t.TempDir(), "system")
	must(os.WriteFile(path, []byte("not a system"), 0o666))
	if _, err := Load(path); !errors.Is(err, ErrFormat) {
		t.Errorf("error %v, want ErrFormat", err)
	}
	if _, err := Load(path + ".none"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v, want that the file is missing", err)
	}
	l := newLearner(gennDesign(), edit.GED, edit.Uniform())
	if err := l.Save(path); !errors.Is(err, ErrNothingLearnt) {
		t.Errorf("error %v, want ErrNothingLearnt", err)
	}
}
