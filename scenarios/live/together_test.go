package live

import (
	"os"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
)

func TestTheFileOfClientsThatStartTogetherRunsLive(t *testing.T) {
	text, err := os.ReadFile("together.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenarios.Parse("together.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(&s); err != nil {
		t.Error(err)
	}
	if !strings.Contains(s.Faults.String(), "restart a-node") {
		t.Errorf("its schedule is %q", s.Faults.String())
	}
}
