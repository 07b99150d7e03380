package reports_test

import (
	"math"
	"testing"

	"github.com/lockstorm/lockstorm/reports"
)

func TestALengthHasAUnit(t *testing.T) {
	var r reports.Rendering
	for _, text := range []string{"72pt", "1in", "2.54cm", "25.4mm"} {
		if err := r.SetSize(text); err != nil || math.Abs(r.Width-72) > 1e-9 || r.Height != 0 {
			t.Errorf("%s is %v: %v", text, r.Width, err)
		}
	}
	for _, text := range []string{"", "85", "mm", "-1mm", "0in", "1e9mm", "NaNmm", "8 5mm", "85px"} {
		if err := r.SetSize(text); err == nil {
			t.Errorf("%q is %v", text, r.Width)
		}
	}
}
