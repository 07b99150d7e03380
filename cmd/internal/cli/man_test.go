package cli

import "testing"

// What has a meaning in roff is escaped, and lines that begin with a blank stay as they are.
func TestHelpTextBecomesRoff(t *testing.T) {
	const text = "One - a.\n\n  .x  'y\n  C:\\z\n\n.not a macro\n'nor this\n"
	const want = "One \\- a.\n.PP\n.nf\n  .x  'y\n  C:\\ez\n\n.fi\n\\&.not a macro\n\\&'nor this\n"
	if got := escapedText(text); got != want {
		t.Errorf("%q; want %q", got, want)
	}
}
