package solve

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qirkat/movegen"
	"qirkat/movegen/games"
	"qirkat/tablebase"
)

// prove makes a certificate of a value, without tables.
func prove(t testing.TB, v *movegen.Variant, position, want string) (path string, c *certificate) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "proof")
	o, err := Solve(t.Context(), Config{Variant: v, Position: position, Claim: Value, Threads: 1, Memory: memory, Pieces: NoTables, Path: path})
	if err != nil || o.Value() != want {
		t.Fatalf("Solve(%s) = %+v, %v, want %s", position, o, err, want)
	}
	if c, err = readCertificate(path); err != nil {
		t.Fatal(err)
	}
	return path, c
}

const drawnTelo = "3/wbb/3 b - 0 1"

// TestCertificateDamage cuts a certificate at every length and changes every byte.
func TestCertificateDamage(t *testing.T) {
	path, _ := prove(t, variant(t, "fanorona-telo"), drawnTelo, "draw")
	damage(t, path)
	path, _ = prove(t, variant(t, "alquerque-pritchard"), wonByHuffing, "White wins")
	damage(t, path)
}

func damage(t *testing.T, path string) {
	t.Helper()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(what string, at int, data []byte) {
		t.Helper()
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Check(t.Context(), CheckConfig{Path: path, Threads: 1})
		var wrong *FileError
		if !errors.As(err, &wrong) || strings.Contains(err.Error(), "\n") {
			t.Fatalf("%s at %d: error %v, want a line of a FileError", what, at, err)
		}
	}
	for i := range whole {
		refused("cut", i, whole[:i])
		changed := bytes.Clone(whole)
		changed[i] ^= 0x10
		refused("changed", i, changed)
	}
	refused("foreign", 0, []byte("QirkatTB, but that is a table"))
}

// TestForged: certificates that fit their checksum and prove nothing.
func TestForged(t *testing.T) {
	telo := variant(t, "fanorona-telo")
	_, won := prove(t, telo, "", "White wins")
	_, drawn := prove(t, telo, drawnTelo, "draw")
	for _, c := range []struct {
		name  string
		of    *certificate
		forge func(*certificate)
		want  string
	}{
		{"unchanged win", won, func(*certificate) {}, ""},
		{"unchanged draw", drawn, func(*certificate) {}, ""},
		{"no position", won, func(c *certificate) { c.sets[0] = nil }, "not in the certificate"},
		{"the first position is left out", won, func(c *certificate) { c.sets[0] = c.sets[0][1:] }, "proof|certificate"},
		{"the last position is left out", won, func(c *certificate) { c.sets[0] = c.sets[0][:len(c.sets[0])-1] }, "proof|certificate"},
		{"a bound is too small", won, func(c *certificate) { c.sets[0][len(c.sets[0])/2].plies = 0 }, "bound|proof"},
		{"all bounds are equal", won, func(c *certificate) {
			for i := range c.sets[0] {
				c.sets[0][i].plies = 9
			}
		}, "bound|proof"},
		{"the other side wins", won, func(c *certificate) { c.Proofs[0].Claim = BlackWins }, "proof|certificate"},
		{"a draw made a win", drawn, func(c *certificate) { c.Proofs[0].Claim = WhiteWins }, "proof|bound"},
		{"a win made a draw", won, func(c *certificate) { c.Proofs[0].Claim = BlackDraws }, "proof|certificate|otherwise"},
		{"the sides are changed", drawn, func(c *certificate) {
			c.Proofs[0].Claim, c.Proofs[1].Claim = c.Proofs[1].Claim, c.Proofs[0].Claim
		}, "proof|certificate"},
		{"positions are left out of a draw", drawn, func(c *certificate) { c.sets[1] = c.sets[1][:len(c.sets[1])-1] }, "proof|certificate"},
		{"of another position", won, func(c *certificate) { c.Position = "bbb/bw1/www w - 0 1" }, "not in the certificate"},
		{"of another variant", won, func(c *certificate) { c.Variant = "fanorona-5x3" }, "rows|board|proof"},
		{"of no variant", won, func(c *certificate) { c.Variant = "chess" }, "unknown variant"},
		{"of no option", won, func(c *certificate) { c.Options = map[string]string{"FirstMove": "twice"} }, "option"},
		{"an impossible position", won, func(c *certificate) { c.sets[0][0].key = key{1, 1} }, "no position of the board"},
		{"tables that are not there", won, func(c *certificate) { c.forgeTables("9-9") }, "not there"},
		{"other tables", won, func(c *certificate) { c.forgeTables("2-1") }, "not the same file"},
		{"tables of more pieces than it says", won, func(c *certificate) { c.forgeTables("2-1"); c.Pieces = 2 }, "up to 3 pieces"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := checkForged(t, c.of, c.forge)
			if c.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil || strings.Contains(err.Error(), "\n") {
				t.Fatalf("error %v, want one line", err)
			}
			if !slices.ContainsFunc(strings.Split(c.want, "|"), func(w string) bool { return strings.Contains(err.Error(), w) }) {
				t.Errorf("error %q, want %s", err, c.want)
			}
		})
	}
}

// TestKeys: a key gives its position back, and images have the same canonical key.
func TestKeys(t *testing.T) {
	for _, v := range []*movegen.Variant{
		variant(t, "alquerque"), variant(t, "alquerque-bell", "Huffing=off"), variant(t, "quirkat", "Huffing=off"),
		variant(t, "fanorona-7x5"), variant(t, "fanorona"),
		variant(t, "alquerque", "Huffing=on", "MultiPiece=on"), variant(t, "alquerque-pritchard"), variant(t, "quirkat"),
	} {
		r, err := newRules(v)
		if err != nil {
			t.Fatal(err)
		}
		m := newMover(r)
		p, err := m.read(games.New(v).String())
		if err != nil {
			t.Fatal(err)
		}
		for ply := range 60 {
			if k := p.key(); k.position() != p {
				t.Fatalf("%s: the key of %+v gives %+v", v.Name, p, k.position())
			}
			for i := range r.symmetries {
				s := &r.symmetries[i]
				q := position{turn: p.turn}
				for side := range q.pieces {
					q.pieces[side] = s.set(p.pieces[side])
					q.back[side] = s.steps[p.back[side]]
				}
				q.liable = s.set(p.liable)
				if r.canonical(&q) != r.canonical(&p) {
					t.Fatalf("%s: symmetry %d of %+v has another canonical key", v.Name, i, p)
				}
			}
			moves := m.moves(nil, &p)
			if len(moves) == 0 {
				break
			}
			p = m.play(&p, &moves[ply*7%len(moves)])
		}
	}
}

// FuzzCertificate: no bytes make the check crash.
func FuzzCertificate(f *testing.F) {
	path, c := prove(f, variant(f, "fanorona-telo"), drawnTelo, "draw")
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(appendSet(nil, c.sets[0], WhiteWins))
	f.Fuzz(func(t *testing.T, data []byte) {
		if set, _, ok := readSet(data, len(data)/3, WhiteWins); ok {
			again := appendSet(nil, set, WhiteWins)
			if back, rest, ok := readSet(again, len(set), WhiteWins); !ok || len(rest) > 0 || !slices.Equal(back, set) {
				t.Fatalf("%d positions do not come back", len(set))
			}
		}
		_, _ = unpack(data, certificateMagic, certificateVersion, "a certificate", new(Header))
	})
}

// checkForged changes a copy of a certificate, and checks that.
func checkForged(t *testing.T, of *certificate, forge func(c *certificate)) error {
	t.Helper()
	forged := certificate{Header: of.Header}
	forged.Proofs, forged.Options = slices.Clone(of.Proofs), maps.Clone(of.Options)
	for _, set := range of.sets {
		forged.sets = append(forged.sets, slices.Clone(set))
	}
	forge(&forged)
	for i := range forged.Proofs {
		forged.Proofs[i].Positions = len(forged.sets[i])
		slices.SortFunc(forged.sets[i], func(a, b ranked) int { return a.compare(b.key) })
	}
	data, err := forged.encode()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "proof")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = Check(t.Context(), CheckConfig{Path: path, Threads: 2})
	return err
}

// forgeTables has a certificate name a table.
func (c *certificate) forgeTables(material string) {
	c.Tables = []tablebase.FileID{{Rules: "fanorona-3x3", Material: material, Kind: tablebase.Results, Check: 1}}
	c.Pieces = mostPieces(c.Tables)
}
