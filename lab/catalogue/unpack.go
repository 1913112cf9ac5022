package catalogue

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Limits bound what is unpacked and downloaded.
type Limits struct {
	Bytes   int64 // of all files together
	Entries int
}

// DefaultLimits are far above what any collection needs.
func DefaultLimits() Limits { return Limits{Bytes: 4 << 30, Entries: 200_000} }

// ErrTooLarge is wrapped if an archive or a download is over the limits.
var ErrTooLarge = errors.New("too large")

// IsArchive reports whether a file is one that [Unpack] reads, by its name.
func IsArchive(name string) bool {
	name = strings.ToLower(name)
	for _, end := range []string{".zip", ".tar", ".tar.gz", ".tgz"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// Unpack writes the regular files of a zip or tar archive below a folder. Names that lead
// out of it are an error, and links and devices are left out. What an entry says of its size
// is not believed.
func Unpack(archive, folder string, limits Limits) error {
	u := &unpacker{folder: folder, left: limits}
	if strings.HasSuffix(strings.ToLower(archive), ".zip") {
		return u.zip(archive)
	}
	return u.tar(archive)
}

type unpacker struct {
	folder string
	left   Limits
}

func (u *unpacker) zip(archive string) error {
	z, err := zip.OpenReader(archive)
	if err != nil {
		return fmt.Errorf("%s: %w", archive, err)
	}
	defer z.Close()
	for _, f := range z.File {
		if !f.Mode().IsRegular() {
			continue
		}
		r, err := f.Open()
		if err == nil {
			err = errors.Join(u.put(f.Name, r), r.Close())
		}
		if err != nil {
			return fmt.Errorf("%s: %w", archive, err)
		}
	}
	return nil
}

func (u *unpacker) tar(archive string) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	var r io.Reader = f
	if !strings.HasSuffix(strings.ToLower(archive), ".tar") {
		z, err := gzip.NewReader(f)
		if err != nil {
			return fmt.Errorf("%s: %w", archive, err)
		}
		// The headers of a tar cost nothing to pack: they count, too.
		r = io.LimitReader(z, u.left.Bytes+int64(u.left.Entries)*1024+1)
	}
	t := tar.NewReader(r)
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil && h.Typeflag == tar.TypeReg {
			err = u.put(h.Name, t)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", archive, err)
		}
	}
}

// put writes one file.
func (u *unpacker) put(name string, r io.Reader) error {
	if u.left.Entries--; u.left.Entries < 0 {
		return fmt.Errorf("more files than allowed: %w", ErrTooLarge)
	}
	local := filepath.FromSlash(name)
	if !filepath.IsLocal(local) {
		return fmt.Errorf("the file %q would be outside of the folder", name)
	}
	path := filepath.Join(u.folder, local)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	n, err := io.Copy(f, io.LimitReader(r, u.left.Bytes+1))
	if u.left.Bytes -= n; u.left.Bytes < 0 {
		err = fmt.Errorf("more bytes than allowed: %w", ErrTooLarge)
	}
	return errors.Join(err, f.Close())
}
