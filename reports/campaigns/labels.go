package campaigns

import (
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// Labels are words for what pictures name: for the key of a setting, or the name of a property or a figure.
type Labels map[string]string

func (l Labels) of(name string) string {
	if text, given := l[name]; given {
		return text
	}
	return name
}

// ofFigure returns the words for a figure, which has a name of one word.
func (l Labels) ofFigure(name string) string {
	if text, given := l[name]; given {
		return text
	}
	if text, has := figureWords[name]; has {
		return text
	}
	return strings.ReplaceAll(name, "-", " ")
}

// figureWords are words for figures whose names say their order first.
var figureWords = map[string]string{"wait-median": "median wait of a run", "wait-max": "longest wait of a run"}

// ofCell returns the words for a cell: what each of its settings is, with its value.
func (l Labels) ofCell(s *scenarios.Scenario, c campaign.Cell) string {
	var words []string
	for _, a := range c {
		words = append(words, l.ofSetting(s, a.Key)+" = "+string(a.Value))
	}
	return strings.Join(words, ", ")
}

// ofSetting returns the words for a setting: as they are given, or made of its key, for readers of a paper know no keys.
func (l Labels) ofSetting(s *scenarios.Scenario, key string) string {
	if text, given := l[key]; given {
		return text
	}
	if k, err := scenarios.Lookup(s, key); err == nil {
		if text, given := l[k.Key]; given {
			return text
		}
		if fault, _, about := strings.Cut(k.Doc, "”:"); about { // “pause c1”: how long it lasts
			part := k.Key[strings.LastIndexByte(k.Key, '.')+1:]
			if word, has := faultWords[part]; has {
				part = word
			}
			return part + " of " + withoutAmounts(s, k.Key, strings.TrimPrefix(fault, "“"))
		}
	}
	if text, has := settingWords[key]; has {
		return text
	}
	words := strings.FieldsFunc(key, func(r rune) bool { return r == '.' || r == '_' || r == '-' })
	for i, w := range words {
		if w == "ttl" {
			words[i] = "TTL"
		}
	}
	return strings.Join(words, " ")
}

// settingWords are words for settings whose keys say too little.
var settingWords = map[string]string{"work.work": "work per hold"}

// withoutAmounts returns the words of a fault without its amounts: they vary along an axis, or are not what it is about.
func withoutAmounts(s *scenarios.Scenario, key, fault string) string {
	words := strings.Fields(fault)
	for _, k := range scenarios.Settings(s) {
		if k.Key[:max(strings.LastIndexByte(k.Key, '.'), 0)] != key[:strings.LastIndexByte(key, '.')] {
			continue
		}
		is := func(word string) bool { return strings.TrimLeft(word, "+-") == strings.TrimLeft(k.Get(s), "+-") }
		if i := slices.IndexFunc(words, is); i > 0 {
			words = slices.Delete(words, i, i+1)
			if slices.Contains([]string{"by", "at", "every"}, words[i-1]) {
				words = slices.Delete(words, i-1, i)
			}
		}
	}
	return strings.Join(words, " ")
}

// faultWords are words for the parts of faults whose keys say too little.
var faultWords = map[string]string{"for": "duration", "at": "beginning", "by": "size", "on": "clock", "every": "period",
	"after": "delay"}
