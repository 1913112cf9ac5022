package parquetfile_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/greedgraph/greed/truth/parquetfile"
)

type row struct {
	Text string `parquet:"text,dict"`
	N    int64  `parquet:"n"`
}

// hostile is a text that looks like the place of the checksum.
const hostile = "greed.checksum\x18\x0800000000"

func rows(n int) []row {
	all := make([]row, n)
	for i := range all {
		all[i] = row{strings.Repeat(hostile, i%3), int64(i)}
	}
	return all
}

func write(t *testing.T, all []row) []byte {
	t.Helper()
	var buf bytes.Buffer
	out := parquetfile.NewWriter[row](&buf, 1500)
	out.SetMetadata("greed.other", strings.Repeat("costs", 1000))
	for _, r := range all {
		if err := out.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func read(data []byte) (all []row, err error) {
	file, err := parquetfile.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	in, err := parquetfile.NewReader[row](file)
	if err != nil {
		return nil, err
	}
	for {
		r, err := in.Next()
		if err == io.EOF {
			return all, in.Close()
		}
		if err != nil {
			return nil, errors.Join(err, in.Close())
		}
		all = append(all, *r)
	}
}

func TestRoundTrip(t *testing.T) {
	for _, n := range []int{0, 1, 5000} {
		want := rows(n)
		data := write(t, want)
		if got, err := read(data); err != nil || !slices.Equal(got, want) {
			t.Errorf("%d rows: %v, %d rows", n, err, len(got))
		}
		if !bytes.Equal(data, write(t, want)) {
			t.Errorf("%d equal rows give other bytes", n)
		}
	}
}

// TestOtherBytes: all that is not the name of the checksum is covered by it, whatever the rows say.
func TestOtherBytes(t *testing.T) {
	data := write(t, rows(3))
	accepted := 0
	for bit := range 8 * len(data) {
		data[bit/8] ^= 1 << (bit % 8)
		if got, err := read(data); err == nil {
			accepted++
			if !slices.Equal(got, rows(3)) {
				t.Fatalf("bit %d of byte %d: other rows", bit%8, bit/8)
			}
		}
		data[bit/8] ^= 1 << (bit % 8)
	}
	if most := 8 * len("greed.checksum"); accepted > most {
		t.Errorf("%d changed bits were not noticed, want at most %d", accepted, most)
	}
}

// TestOtherPrograms: a file without a checksum is read.
func TestOtherPrograms(t *testing.T) {
	want := []row{{"a", 1}, {"b", -2}}
	var buf bytes.Buffer
	out := parquet.NewGenericWriter[row](&buf)
	if _, err := out.Write(want); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := read(buf.Bytes()); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %d rows", err, len(got))
	}
}

// TestEnds: a file must begin and end as Parquet does, and have room for that, before anything else of it is
// believed.
func TestEnds(t *testing.T) {
	data := write(t, rows(3))
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"other beginning": {append([]byte("PAR2"), data[4:]...), "not a whole Parquet file"},
		"other end":       {append(slices.Clone(data[:len(data)-4]), "PAR2"...), "not a whole Parquet file"},
		"cut short":       {data[:len(data)-1], "not a whole Parquet file"},
		"11 bytes":        {[]byte("PAR1\x00\x00\x00PAR1"), "too short"},
		"12 bytes":        {[]byte("PAR1\x01\x00\x00\x00PAR1"), "a footer of 1 bytes in a file of 12"},
	} {
		if _, err := read(c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestRecover(t *testing.T) {
	try := func(f func()) (err error) {
		defer parquetfile.Recover(&err)()
		f()
		return nil
	}
	if err := try(func() { panic("x") }); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Error(err)
	}
	if err := try(func() {}); err != nil {
		t.Error(err)
	}
}
