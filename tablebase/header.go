package tablebase

import (
	"cmp"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// ReadHeader reads what a table file says of itself. The errors are a
// *FileError and those of opening it.
func ReadHeader(path string) (*Header, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	h := f.Header
	return &h, f.close()
}

// ReadHeaders reads those of all table files in a folder and the folders in it,
// by rules, material and kind. A file that has the name of a table and is none
// is left out, and refused says why.
func ReadHeaders(dir string) (list []Header, refused []error, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".") {
			return err
		}
		kind := Kind(strings.TrimPrefix(filepath.Ext(path), "."))
		if !slices.Contains([]Kind{Distances, Results, Differences}, kind) {
			return nil
		}
		h, err := ReadHeader(path)
		if err != nil {
			refused = append(refused, err)
			return nil
		}
		list = append(list, *h)
		return nil
	})
	slices.SortFunc(list, func(a, b Header) int {
		return cmp.Or(cmp.Compare(a.Rules, b.Rules), byMaterial(a.Material, b.Material), cmp.Compare(a.Kind, b.Kind))
	})
	return list, refused, err
}

// byMaterial puts few pieces before many.
func byMaterial(a, b string) int {
	sum := func(text string) (n int) {
		for part := range strings.SplitSeq(text, "-") {
			m, _ := strconv.Atoi(part)
			n += m
		}
		return n
	}
	return cmp.Or(cmp.Compare(sum(a), sum(b)), cmp.Compare(b, a))
}
