package tablebase

import (
	"embed"
	"path/filepath"
)

// embedded are the tables that the program brings along; docs/tables.md lists
// them, and says how they are made.
//
//go:embed embedded
var embedded embed.FS

const embeddedFolder = "embedded"

// openEmbedded opens one of them, as openFile opens a file.
func openEmbedded(path string) (*file, error) {
	path = filepath.ToSlash(path)
	data, err := embedded.ReadFile(path)
	if err != nil {
		return nil, err
	}
	t := &file{path: path, data: data}
	if reason := t.parse(); reason != "" {
		return nil, &FileError{path, reason}
	}
	return t, nil
}
