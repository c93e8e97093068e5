package match

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"qirkat/match/internal/fake"
)

// tournamentVariable makes this program run the tournament in a folder, or go
// on with it.
const tournamentVariable = "QIRKAT_TEST_TOURNAMENT"

// killed is the tournament that is killed: its games depend on nothing but the
// job, so that its totals can be compared.
func killed(folder string) *Config {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	c := DefaultConfig()
	c.Rounds, c.Games, c.Kind, c.Variants = 2, 4, RoundRobin, []string{"alquerque", "quirkat", "fanorona-telo"}
	c.Openings.Plies, c.Openings.Order, c.Concurrency = 2, OrderRandom, 3
	c.Record, c.PGN = filepath.Join(folder, "record.jsonl"), filepath.Join(folder, "games.pgn")
	for _, name := range []string{"a", "b", "c"} {
		e := Engine{Name: name, Command: self, Env: []string{fake.Variable + "=" + fake.Honest, "QIRKAT_TEST_FOLDER=" + folder}}
		e.Nodes = 1
		c.Engines = append(c.Engines, e)
	}
	return c
}

// runTournament plays, and prints the ID of each game as it is told of it.
func runTournament(folder string) {
	os.Unsetenv(tournamentVariable)
	t, err := Resume(context.Background(), filepath.Join(folder, "record.jsonl"), func(*Running) {})
	if errors.Is(err, os.ErrNotExist) {
		t, err = Begin(context.Background(), killed(folder))
	}
	if err == nil {
		_, err = t.Run(context.Background(), nil, func(e Event) {
			if e.Event == EventGame {
				fmt.Println(e.ID)
			}
		})
	}
	if err == nil {
		err = t.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// run runs the tournament in its own process, which is killed after a time, if
// there is one. It gives the games that it told of.
func run(t *testing.T, folder string, after time.Duration) (told []string, finished bool) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), tournamentVariable+"="+folder)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if after > 0 {
		timer := time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
		defer timer.Stop()
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		told = append(told, lines.Text())
	}
	err = cmd.Wait()
	if complaint.Len() > 0 {
		t.Fatalf("%v: %s", err, &complaint)
	}
	return told, err == nil
}

// TestKilled kills a tournament again and again at random moments: no game that
// was told of is lost, none is there twice, no engine is left, and at the end
// all is as if it had never been interrupted.
func TestKilled(t *testing.T) {
	kills := 8
	switch {
	case *long:
		kills = 50
	case testing.Short():
		kills = 2
	}
	whole := t.TempDir()
	if _, ok := run(t, whole, 0); !ok {
		t.Fatal("it does not even run when it is left alone")
	}
	want := readRecord(t, whole)
	folder := t.TempDir()
	random := rand.New(rand.NewPCG(3, uint64(kills)))
	told := map[string]bool{}
	done, cut := 0, 0
	for done < kills {
		ids, finished := run(t, folder, time.Duration(30+random.IntN(250))*time.Millisecond)
		done++
		for _, id := range ids {
			if told[id] {
				t.Fatalf("kill %d: game %s was played again", done, id)
			}
			told[id] = true
		}
		if left := processesWith(t, "QIRKAT_TEST_FOLDER="+folder); len(left) > 0 {
			time.Sleep(100 * time.Millisecond) // the kernel has sent the signal
			if left = processesWith(t, "QIRKAT_TEST_FOLDER="+folder); len(left) > 0 {
				t.Errorf("kill %d: engines %v are left", done, left)
			}
		}
		if _, err := os.Stat(filepath.Join(folder, "record.jsonl")); err != nil {
			continue // it was killed before it began
		}
		got := readRecord(t, folder)
		for id := range told {
			if _, ok := got[id]; !ok {
				t.Fatalf("kill %d: game %s is lost", done, id)
			}
		}
		if finished { // begin once more
			compare(t, got, want)
			checkPGN(t, folder, len(want))
			folder, told = t.TempDir(), map[string]bool{}
			continue
		}
		cut++
	}
	if _, ok := run(t, folder, 0); !ok {
		t.Fatal("it does not go on")
	}
	compare(t, readRecord(t, folder), want)
	checkPGN(t, folder, len(want))
	t.Logf("%d kills, %d of them before the end", done, cut)
}

// readRecord gives the games of a record, of which none may be there twice.
func readRecord(t *testing.T, folder string) map[string]Record {
	t.Helper()
	f, err := os.Open(filepath.Join(folder, "record.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	_, records, err := ReadJournal(f)
	if err != nil {
		t.Fatal(err)
	}
	games := map[string]Record{}
	for _, r := range records {
		if _, twice := games[r.ID]; twice {
			t.Fatalf("game %s is there twice", r.ID)
		}
		games[r.ID] = r
	}
	return games
}

// compare looks at all of a game that does not depend on time.
func compare(t *testing.T, got, want map[string]Record) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d games, want %d", len(got), len(want))
	}
	text := func(r Record) string {
		moves := make([]string, len(r.Plies))
		for i, p := range r.Plies {
			moves[i] = p.Move
		}
		return fmt.Sprint(r.ID, r.Round, r.Pair, r.Variant, r.Players, r.Opening, moves, r.Result, r.Reason, r.Points, r.Fault)
	}
	for id, w := range want {
		if g := text(got[id]); g != text(w) {
			t.Errorf("game %s: %s, want %s", id, g, text(w))
		}
	}
}

// checkPGN: every game is in the PGN file once, and agrees with our rules.
func checkPGN(t *testing.T, folder string, want int) {
	t.Helper()
	f, err := os.Open(filepath.Join(folder, "games.pgn"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	seen := map[string]bool{}
	for r := NewPGNReader(f); ; {
		g, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		record, err := g.Record("")
		if err != nil {
			t.Error(err)
		}
		if seen[record.ID] {
			t.Errorf("game %s is in the PGN file twice", record.ID)
		}
		seen[record.ID] = true
	}
	if len(seen) != want {
		t.Errorf("%d games in the PGN file, want %d", len(seen), want)
	}
}

// TestTornRecord: the record is cut where its last line has no end, and nowhere
// else.
func TestTornRecord(t *testing.T) {
	folder := t.TempDir()
	c := config(t, func(c *Config) { c.Rounds = 2 }, crew(2)...)
	path := filepath.Join(folder, "r.jsonl")
	j, id, err := CreateJournal(path, c)
	if err != nil {
		t.Fatal(err)
	}
	s := NewSchedule(c)
	for range 3 {
		job, _ := s.Next()
		if err := j.Add(stronger(job)); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, _, _, err := OpenJournal(path); err == nil || !strings.Contains(err.Error(), "another qirkat match is writing to it") {
		t.Errorf("opened twice: %v", err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	ends := []int{}
	for i, b := range whole {
		if b == '\n' {
			ends = append(ends, i+1)
		}
	}
	for _, cut := range []int{ends[0], ends[0] + 1, ends[1] - 1, ends[1], ends[2] + 10, ends[3] - 1, ends[3]} {
		if err := os.WriteFile(path, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		again, read, sameID, records, err := OpenJournal(path)
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		want := -1
		for _, e := range ends {
			if e <= cut {
				want++
			}
		}
		if len(records) != want || sameID != id || read.Rounds != 2 {
			t.Errorf("cut at %d: %d games, want %d", cut, len(records), want)
		}
		if err := again.Add(Record{ID: "next", Result: Drawn}); err != nil {
			t.Fatal(err)
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, records, err := ReadJournal(bytes.NewReader(text)); err != nil || len(records) != want+1 || records[want].ID != "next" {
			t.Errorf("cut at %d: then %d games, %v", cut, len(records), err)
		}
	}
	for name, bad := range map[string]string{
		"empty": "", "no end": `{"format"`, "other": "{}\n", "version": strings.Replace(string(whole), `"version":1`, `"version":9`, 1),
		"result": strings.Replace(string(whole), `"result":"p`, `"result":"xyz`, 1),
		"middle": string(whole[:ends[1]]) + "{\n" + string(whole[ends[1]:]),
	} {
		if err := os.WriteFile(path, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, _, _, err := OpenJournal(path); err == nil {
			t.Errorf("%s: no error", name)
		}
		if text, _ := os.ReadFile(path); string(text) != bad {
			t.Errorf("%s: the file was changed", name)
		}
	}
}

// TestDrain: asked to stop, it finishes the games that run and begins no more,
// and goes on later.
func TestDrain(t *testing.T) {
	folder := t.TempDir()
	c := killed(folder)
	tournament, err := Begin(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	drain := make(chan struct{})
	started, ended := []string{}, []string{}
	finished, err := tournament.Run(t.Context(), drain, func(e Event) {
		switch e.Event {
		case EventStart:
			started = append(started, e.ID)
		case EventGame:
			if ended = append(ended, e.ID); len(ended) == 5 {
				close(drain)
			}
		}
	})
	if finished || err != nil {
		t.Fatal(finished, err)
	}
	if err := tournament.Close(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(started)
	slices.Sort(ended)
	if !slices.Equal(started, ended) || len(ended) > 5+c.Concurrency {
		t.Errorf("%d games were begun, %d finished", len(started), len(ended))
	}
	if _, ok := run(t, folder, 0); !ok {
		t.Fatal("it does not go on")
	}
	if n := len(readRecord(t, folder)); n != 72 {
		t.Errorf("%d games, want 72", n)
	}
}

// TestBeginRefuses: a record that exists is not written over.
func TestBeginRefuses(t *testing.T) {
	folder := t.TempDir()
	c := killed(folder)
	if err := os.WriteFile(c.Record, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	var wrong *ConfigError
	if _, err := Begin(t.Context(), c); !errors.As(err, &wrong) || !errors.Is(err, ErrExists) {
		t.Errorf("got %v", err)
	}
	if text, _ := os.ReadFile(c.Record); string(text) != "precious" {
		t.Errorf("the file is now %q", text)
	}
}

// TestSamePlace: the games are not written into the record, by whatever path.
func TestSamePlace(t *testing.T) {
	folder := t.TempDir()
	record, there := filepath.Join(folder, "r"), filepath.Join(folder, "there")
	if err := os.WriteFile(there, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	hard, soft, dangling := filepath.Join(folder, "hard"), filepath.Join(folder, "soft"), filepath.Join(folder, "dangling")
	if err := errors.Join(os.Link(there, hard), os.Symlink("there", soft), os.Symlink("r", dangling)); err != nil {
		t.Skip(err)
	}
	for _, c := range []struct {
		pgn, record string
		want        bool
	}{
		{record, record, true}, {dangling, record, true}, {folder + "/./r", record, true},
		{hard, there, true}, {soft, there, true}, {record, there, false}, {filepath.Join(folder, "g"), record, false},
	} {
		tournament := killed(folder)
		tournament.PGN, tournament.Record = c.pgn, c.record
		if err := tournament.Complete(); (err != nil) != c.want {
			t.Errorf("pgn %s, record %s: %v", c.pgn, c.record, err)
		}
	}
}
