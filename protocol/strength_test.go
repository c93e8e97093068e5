package protocol

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"qirkat/movegen"
	"qirkat/strength"
)

// TestPlay: which of the options of strength counts, and what is said of it.
func TestPlay(t *testing.T) {
	v := &movegen.Variants[0]
	top := strength.LadderOf(v).Top()
	level := func(name string) *strength.Handicap {
		l, _ := strength.FindLevel(name)
		return l.Handicap
	}
	elo := func(n int) *strength.Handicap { return strength.LadderOf(v).At(n) }
	tests := []struct {
		options string // Name=Value, joined by commas
		want    *strength.Handicap
		words   string
	}{
		{"", nil, "full"},
		{"Skill Level=20,UCI_Elo=100,Level=Full", nil, "full"},
		{"Skill Level=0", elo(0), "skill 0, 0 Elo"},
		{"Skill Level=10", elo(top / 2), fmt.Sprintf("skill 10, %d Elo", top/2)},
		{"Skill Level=3,Level=centurion", level("Centurion"), "Centurion"},
		{"Level=Novice,UCI_LimitStrength=true,UCI_Elo=150", elo(150), "150 Elo"},
		{fmt.Sprintf("UCI_LimitStrength=true,UCI_Elo=%d", strength.Top()), elo(top), fmt.Sprintf("%d Elo, the top of %s", top, v.Name)},
		{"UCI_LimitStrength=true,UCI_Elo=0,UCI_AnalyseMode=true,Level=Novice,Skill Level=1", nil, "analysis"},
	}
	for _, tt := range tests {
		s := newServer(t, io.Discard)
		for o := range strings.SplitSeq(tt.options, ",") {
			if name, value, ok := strings.Cut(o, "="); ok {
				s.mustServe(t, "setoption name "+name+" value "+value)
			}
		}
		got, words := s.play.handicap(v)
		if words != tt.words {
			t.Errorf("%s: plays %q, want %q", tt.options, words, tt.words)
		}
		if (got == nil) != (tt.want == nil) || got != nil && *got != *tt.want {
			t.Errorf("%s: handicap %+v, want %+v", tt.options, got, tt.want)
		}
	}
}

// TestWeakPlay: a weakened engine plays the same move again in the same game, in
// other games others, and by one thread as deep as its strength says.
func TestWeakPlay(t *testing.T) {
	out := new(recorder)
	s := newServer(t, out)
	s.play.game = 1
	s.mustServe(t, "setoption name Threads value 2")
	s.mustServe(t, "setoption name Skill Level value 0")
	answer := func() string {
		s.mustServe(t, "go infinite")
		s.mustServe(t, "stop")
		s.engine.Wait()
		<-s.job.done
		if err := s.out.flush(forever); err != nil {
			t.Fatal(err)
		}
		text := out.take()
		if strings.Contains(text, "info depth 2") {
			t.Errorf("a random player looked ahead: %s", text)
		}
		return regexp.MustCompile(`bestmove .*`).FindString(text)
	}
	if first, again := answer(), answer(); first != again {
		t.Errorf("%s and %s in one position of one game", first, again)
	}
	others := map[string]bool{}
	for range 40 {
		s.mustServe(t, "ucinewgame")
		others[answer()] = true
	}
	if len(others) != 4 {
		t.Errorf("%d first moves in 40 games at random, want all 4", len(others))
	}
}
