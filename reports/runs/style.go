package runs

import (
	"strconv"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
)

// Scripts names, as a Content-Security-Policy does, the scripts of the pages that this Lockstorm writes.
func Scripts() string { return reports.Hashed(pageScript) }

// Shown returns the value as people read it; "-" where it is not known.
func (f Figure) Shown() string {
	if f.Value == nil {
		return "-"
	}
	return f.inUnit(*f.Value)
}

// Beyond describes by how much the figure is larger than another of its kind, with its sign; "" where that is not known.
func (f Figure) Beyond(other Figure) string {
	if f.Value == nil || other.Value == nil || *f.Value == *other.Value {
		return ""
	}
	if by := *f.Value - *other.Value; by > 0 {
		return "+" + f.inUnit(by)
	}
	return "−" + f.inUnit(*other.Value-*f.Value)
}

func (f Figure) inUnit(value int64) string {
	if f.Unit == checker.Count.String() {
		return strconv.FormatInt(value, 10)
	}
	return wording.Micros(clock.Instant(value))
}

// FigureDoc returns what the figure of a name measures; "" if this Lockstorm has none of that name.
func FigureDoc(name string) string {
	for _, f := range new(checker.Judge).Figures(&checker.Evidence{}) {
		if f.Name == name {
			return f.Doc
		}
	}
	return ""
}
