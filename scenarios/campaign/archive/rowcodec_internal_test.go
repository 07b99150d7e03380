package archive

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// made returns an archive of a job that has no rows yet, in blocks of 4 rows; the last of each cell has 2.
func made(dir string, cells int) *Archive {
	s, _ := scenarios.Find("kleppmann/gc-pause")
	j := &campaign.Job{Kind: "test", Scenario: &s, Cells: make([]campaign.Cell, cells), First: 7, Runs: 10, Size: 4}
	return open(dir, describe(j, "1"), j, nil)
}

func drawn(t *rapid.T, a *Archive, block int) (rows []campaign.Row) {
	cell, first, n := a.Job.Block(block)
	for i := range n {
		r := campaign.Row{
			Cell: cell, Seed: first + uint64(i), Verdict: scenarios.Verdict(rapid.IntRange(0, 2).Draw(t, "verdict")),
			Violated:    campaign.Set(rapid.Uint64Range(0, 1<<len(a.Manifest.Properties)-1).Draw(t, "violated")),
			Unknown:     campaign.Set(rapid.Uint64Range(0, 1<<len(a.Manifest.Properties)-1).Draw(t, "unknown")),
			Untested:    campaign.Set(rapid.Uint64Range(0, 1<<len(a.Manifest.Properties)-1).Draw(t, "untested")),
			BoxViolated: campaign.Set(rapid.Uint64Range(0, 1<<len(a.Manifest.Views)-1).Draw(t, "seen")),
			BoxUnknown:  campaign.Set(rapid.Uint64Range(0, 1<<len(a.Manifest.Views)-1).Draw(t, "unseen")),
			Missing:     campaign.Set(rapid.Uint64Range(0, 1<<len(a.Manifest.Sometimes)-1).Draw(t, "missing")),
			Struck:      campaign.Kinds(rapid.Uint32Range(0, 1<<len(faults.Kinds)-1).Draw(t, "struck")),
			Steps:       rapid.IntRange(0, math.MaxInt32).Draw(t, "steps"),
		}
		for range a.Manifest.Figures {
			r.Figures = append(r.Figures, rapid.OneOf(rapid.Just(int64(campaign.Absent)), rapid.Int64()).Draw(t, "figure"))
		}
		rows = append(rows, r)
	}
	return rows
}

func TestAnyRowsComeBackAsTheyWere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := made("", rapid.IntRange(1, 3).Draw(t, "cells"))
		block := rapid.IntRange(0, a.Job.Blocks()-1).Draw(t, "block")
		rows := drawn(t, a, block)
		packed := slices.Clone(a.packRows(block, rows))
		got, err := a.unpack(block, packed)
		if err != nil || !reflect.DeepEqual(got, rows) {
			t.Fatalf("%v\n%+v\n%+v", err, got, rows)
		}
		if again := made("", len(a.Job.Cells)).packRows(block, rows); !bytes.Equal(again, packed) {
			t.Fatal("the same rows were packed in another way")
		}
	})
}

// text is a block of one row, as its file has it when it is decompressed.
func text(t *testing.T, a *Archive) string {
	t.Helper()
	rows := []campaign.Row{{Seed: 15, Violated: 0b11, Untested: 0b1000000, BoxViolated: 0b1, BoxUnknown: 0b11000, Struck: 0b10001, Steps: 12, Figures: make([]int64, len(a.Manifest.Figures))}, {
		Seed: 16, Verdict: scenarios.Fail, Figures: make([]int64, len(a.Manifest.Figures))}}
	rows[0].Figures[3] = campaign.Absent
	a.packRows(2, rows)
	return string(a.text)
}

func TestARowIsALineThatExplainsItself(t *testing.T) {
	got := text(t, made("", 1))
	const want = `{"seed":15,"verdict":"pass","violated":["belief","validity"],"unknown":[],"untested":["continuity"],"blackbox":["mutex"],` +
		`"blackbox_unknown":["fenced-mutex","fenced-register"],"missing":[],"struck":["pause","jump"],` +
		`"steps":12,"figures":[0,0,0,null,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}`
	if lines := strings.Split(got, "\n"); lines[1] != want {
		t.Errorf("%s\nwant\n%s", lines[1], want)
	}
}

// Rows that Lockstorm would not have written are rejected, and the line is named.
func TestABlockIsReadStrictly(t *testing.T) {
	a := made("", 1)
	whole := text(t, a)
	for _, c := range []struct {
		old, new string
		line     int
		want     string
	}{
		{`"block":2`, `"block":1`, 1, "the header is"},
		{`"manifest":"`, `"manifest":"0`, 1, "the header is"},
		{`"rows":2`, `"rows":3`, 1, "the header is"},
		{whole, "", 1, "the header is"},
		{`"seed":15`, `"seed":16`, 2, "it is of seed 16; want 15"},
		{`"seed":15`, `"seed":015`, 2, "want a whole number"},
		{`"seed":15`, `"seed":1e1`, 2, `want ,"verdict":`},
		{`"seed":15`, `"seed": 15`, 2, "want a whole number"},
		{`"seed":15`, `"seed":99999999999999999999`, 2, "want a whole number"},
		{`{"seed":15`, `{"cell":0,"seed":15`, 2, `want "seed":`},
		{`"pass"`, `"maybe"`, 2, `want one of "pass", "unknown", "fail"`},
		{`"validity"`, `"believe"`, 2, "want one of"},
		{`"belief","validity"`, `"validity","belief"`, 2, "want one of"},
		{`"belief","validity"`, `"belief","belief"`, 2, "want one of"},
		{`"belief","validity"`, `"belief",`, 2, "want one of"},
		{`"pause","jump"`, `"pause""jump"`, 2, "want ,"},
		{`"untested":["continuity"]`, `"untested":[]`, 2, "want a promise in untested"},
		{`"mutex"`, `"blackbox.mutex"`, 2, "want one of"},
		{`null`, `-1`, 2, "a figure, or null"},
		{`null,`, ``, 2, "want ,"},
		{`null`, `null,null`, 2, "want ]"},
		{`"steps":12`, `"steps":12,"more":1`, 2, `want ,"figures":`},
		{"]}\n{", "]} \n{", 2, "want the end of the line"},
		{"]}\n{", "]}\n\n{", 3, "want {"},
		{`{"seed":16`, `{"seed":17`, 3, "it is of seed 17; want 16"},
		{"]}\n", "]}", 2, "want the end of the line"}, // both lines in one
	} {
		spoiled := strings.Replace(whole, c.old, c.new, 1)
		if spoiled == whole {
			t.Fatalf("%q is not there", c.old)
		}
		checkDamage(t, a, spoiled, c.line, c.want)
	}
	checkDamage(t, a, whole[:len(whole)-1], 3, "the line has no end")
	checkDamage(t, a, whole+"\n", 4, "want {")
	line := strings.SplitAfter(whole, "\n")[2]
	checkDamage(t, a, whole+line, 4, "a row too many; want 2")
	checkDamage(t, a, strings.TrimSuffix(whole, line), 3, "the block ends after 1 rows; want 2")
}

func checkDamage(t *testing.T, a *Archive, text string, line int, want string) {
	t.Helper()
	_, err := a.unpack(2, a.pack(nil, []byte(text)))
	var d *Damage
	if !errors.As(err, &d) {
		t.Errorf("%v; want %s", err, want)
		return
	}
	if d.Line != line || !strings.Contains(err.Error(), want) || d.Block != 2 || d.First != 15 || d.Last != 16 {
		t.Errorf("line %d, block %d: %v; want line %d: %s", d.Line, d.Block, err, line, want)
	}
}

// If a byte of a file changes, the rows are the same or it is found out. No end of it can be missing.
func TestABlockWithAWrongByteIsFoundOut(t *testing.T) {
	a := made("", 1)
	text(t, a)
	packed := slices.Clone(a.packed)
	if _, err := a.unpack(2, packed); err != nil {
		t.Fatal(err)
	}
	want := string(a.text)
	for i := range packed {
		if _, err := a.unpack(2, packed[:i]); !errors.As(err, new(*Damage)) {
			t.Errorf("cut short to %d bytes: %v", i, err)
		}
		spoiled := slices.Clone(packed)
		spoiled[i] ^= 0x20
		if _, err := a.unpack(2, spoiled); err == nil && string(a.text) != want || err != nil && !errors.As(err, new(*Damage)) {
			t.Errorf("byte %d: %v", i, err)
		}
	}
}

func TestBlocksAreNeitherFewNorSmallNorHuge(t *testing.T) {
	for _, c := range []struct{ cells, runs, size int }{
		{1, 1, 1}, {1, 10, 10}, {1, 100, 25}, {1, 1000, 25}, {1, 200_000, 3125}, {1, 10_000_000, 10_000}, {64, 1000, 1000},
		{1, 101, 21}, {10, 30, 15}, {0, 0, 1},
	} {
		if got := BlockSize(c.cells, c.runs); got != c.size {
			t.Errorf("%d cells of %d runs: blocks of %d rows; want %d", c.cells, c.runs, got, c.size)
		}
	}
}
