package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/greedgraph/greed/part"
)

// partFlag divides the work of a command over machines.
type partFlag struct {
	Part part.Share `placeholder:"I/N" help:"Do the I-th of N shares of the work and write a part, FILE.part, for greed merge."`
}

// partEnding is that of the files that --part writes.
const partEnding = ".part"

// checkOut returns an error unless the name of the output says what it will be.
func (f *partFlag) checkOut(path string) error {
	is := filepath.Ext(path) == partEnding
	if f.Part.All() && is {
		return usageError(fmt.Sprintf("-o %s: a name that ends in %s is for --part", path, partEnding))
	}
	if !f.Part.All() && !is {
		return usageError(fmt.Sprintf("-o %s: --part writes a part for greed merge: want a name that ends in %s", path, partEnding))
	}
	return nil
}

// header returns what a part says of itself. Settings are all that the results depend
// on beside the inputs and models.
func (f *partFlag) header(job part.Job, units int, inputs string, settings any) part.Header {
	text, err := json.Marshal(settings)
	if err != nil {
		panic("greed: " + err.Error()) // numbers are checked and finite
	}
	return part.Header{Job: job, Share: f.Part, Units: units, Inputs: inputs, Settings: text}
}
