package pipe

import (
	"encoding/binary"
	"fmt"
)

// arrayInfo says what an array of a frame is.
type arrayInfo struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Shape []int  `json:"shape"`
}

// itemBytes are the types there are and the bytes of one number.
func itemBytes(typ string) int {
	switch typ {
	case "u1":
		return 1
	case "i4", "f4":
		return 4
	case "f8":
		return 8
	}
	return 0
}

// arrays are those of a request, by name.
type arrays map[string]array

type array struct {
	typ   string
	shape []int
	data  []byte
}

// cutArrays finds the arrays in the data of a frame.
func cutArrays(list []arrayInfo, data []byte) (arrays, error) {
	all := make(arrays, len(list))
	for _, info := range list {
		size := itemBytes(info.Type)
		if size == 0 {
			return nil, badRequest("array %s has the unknown type %q", info.Name, info.Type)
		}
		for _, n := range info.Shape {
			if n < 0 || n > 0 && size > maxFrame/n {
				return nil, badRequest("array %s has the shape %v", info.Name, info.Shape)
			}
			size *= n
		}
		padded := (size + 7) &^ 7
		if padded > len(data) {
			return nil, badRequest("array %s of %d bytes: %d are left of the frame", info.Name, size, len(data))
		}
		all[info.Name] = array{info.Type, info.Shape, data[:size]}
		data = data[padded:]
	}
	return all, nil
}

func (a arrays) get(name, typ string, dims int) (array, error) {
	x, ok := a[name]
	switch {
	case !ok:
		return x, badRequest("array %s is missing", name)
	case x.typ != typ || len(x.shape) != dims:
		return x, badRequest("array %s is %s with %d dimensions, want %s with %d", name, x.typ, len(x.shape), typ, dims)
	}
	return x, nil
}

func (a arrays) ints(name string, dims int) ([]int32, error) {
	x, err := a.get(name, "i4", dims)
	if err != nil {
		return nil, err
	}
	out := make([]int32, len(x.data)/4)
	_, err = binary.Decode(x.data, binary.LittleEndian, out)
	return out, err
}

func (a arrays) bytes(name string) ([]byte, error) {
	x, err := a.get(name, "u1", 1)
	return x.data, err
}

// floats returns an array of the given shape.
func (a arrays) floats(name string, shape ...int) ([]float64, error) {
	x, err := a.get(name, "f8", len(shape))
	if err != nil {
		return nil, err
	}
	for i, n := range shape {
		if x.shape[i] != n {
			return nil, badRequest("array %s has the shape %v, want %v", name, x.shape, shape)
		}
	}
	out := make([]float64, len(x.data)/8)
	_, err = binary.Decode(x.data, binary.LittleEndian, out)
	return out, err
}

// answer is what a handler returns: a result for the JSON text and arrays.
type answer struct {
	result any
	list   []arrayInfo
	data   []byte
}

// add adds an array to an answer.
func add[T byte | int32 | float32 | float64](a *answer, name string, values []T, shape ...int) {
	typ := "f8"
	switch any(values).(type) {
	case []byte:
		typ = "u1"
	case []int32:
		typ = "i4"
	case []float32:
		typ = "f4"
	}
	a.list = append(a.list, arrayInfo{name, typ, shape})
	a.data, _ = binary.Append(a.data, binary.LittleEndian, values) // numbers of these types have a form
	for len(a.data)%8 != 0 {
		a.data = append(a.data, 0)
	}
}

// failure is an error with what the other side tells errors apart by.
type failure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Record  *int   `json:"record,omitempty"`
	Side    string `json:"side,omitempty"` // query or target
}

func (f *failure) Error() string { return f.Message }

// wrongValue returns an error of the user, who passed what there is not.
func wrongValue(format string, args ...any) error {
	return &failure{Code: "value", Message: fmt.Sprintf(format, args...)}
}

// badRequest returns an error of the other side's program.
func badRequest(format string, args ...any) error {
	return &failure{Code: "request", Message: fmt.Sprintf(format, args...)}
}
