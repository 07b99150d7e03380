package browse

import (
	"strings"
	"testing"
)

func TestTheChoiceThatIsSetIsSelected(t *testing.T) {
	f := field{name: "a", label: "A", value: "2", choices: []choice{{"1", "one"}, {"2", "two"}}}
	got := f.html()
	if strings.Count(got, "selected") != 1 || !strings.Contains(got, `<option value="2" selected>two`) {
		t.Errorf("it is written so:\n%s", got)
	}
}
