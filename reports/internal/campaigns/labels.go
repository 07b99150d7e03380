package campaigns

import (
	"strings"

	"github.com/lockstorm/lockstorm/scenarios"
)

// Labels are words for what pictures name: for the key of a setting, or the name of a property or a figure.
type Labels map[string]string

func (l Labels) of(name string) string {
	if text, given := l[name]; given {
		return text
	}
	return name
}

// ofSetting returns the words for a setting: as they are given, or made of its key, for readers of a paper know no keys.
func (l Labels) ofSetting(s *scenarios.Scenario, key string) string {
	if text, given := l[key]; given {
		return text
	}
	if k, known := scenarios.Lookup(s, key); known {
		if text, given := l[k.Key]; given {
			return text
		}
		if fault, _, about := strings.Cut(k.Doc, "”:"); about { // “pause c1”: how long it lasts
			part := k.Key[strings.LastIndexByte(k.Key, '.')+1:]
			if word, has := faultWords[part]; has {
				part = word
			}
			return part + " of " + strings.TrimPrefix(fault, "“")
		}
	}
	words := strings.FieldsFunc(key, func(r rune) bool { return r == '.' || r == '_' || r == '-' })
	for i, w := range words {
		if w == "ttl" {
			words[i] = "TTL"
		}
	}
	return strings.Join(words, " ")
}

// faultWords are words for the parts of faults whose keys say too little.
var faultWords = map[string]string{"for": "duration", "at": "beginning", "by": "size", "on": "clock", "every": "period", "after": "delay"}
