package codec_test

import (
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/checker/codec"
)

// ops writes a history of acquires and releases: "0 invoke A :v", "0 ok A {:fence 1}". N is a renewal.
func ops(lines ...string) string {
	f := map[string]string{"A": "acquire", "R": "release", "N": "renew"}
	var b strings.Builder
	for _, l := range lines {
		w := strings.SplitN(l, " ", 4)
		value := ""
		if len(w) == 4 {
			value = " :value " + w[3]
		}
		b.WriteString("{:process " + w[0] + " :type :" + w[1] + " :f :" + f[w[2]] + value + "}\n")
	}
	return b.String()
}

// judged reads a history and judges it as a mutex: "holds", "violated", or the error.
func judged(t *testing.T, how codec.Reading, model, text string) (*codec.Recording, string) {
	t.Helper()
	r, err := how.Read(strings.NewReader(text))
	if err != nil {
		return nil, err.Error()
	}
	m, _ := blackbox.LookupModel(model)
	m.Clients = len(r.Owners)
	result := blackbox.Linearizable(r.History, m)
	if result.Err != nil {
		t.Fatalf("%v\n%s", result.Err, text)
	}
	return r, result.Verdict.String()
}

// Each of these was judged with its values for the names of locks, wrongly and without a word.
func TestAStringInAValueIsNotAlwaysALock(t *testing.T) {
	const probably = "say what the values are, as --value lock, owner, token or ignore"
	ids := ops(`0 invoke A "u1"`, `0 ok A {:client "c0" :fence 1 :uid "u1"}`, `1 invoke A "u2"`, `1 ok A {:client "c1" :fence 2 :uid "u2"}`)
	turns := ops(`0 invoke A "u1"`, `0 ok A {:client "c0" :fence 1 :uid "u1"}`, `0 invoke R "u2"`, `0 ok R {:client "c0" :fence 0 :uid "u2"}`,
		`1 invoke A "u3"`, `1 ok A {:client "c1" :fence 2 :uid "u3"}`, `0 invoke R "u4"`, `0 fail R "u4"`)
	tokens := ops(`0 invoke A "t1"`, `0 ok A "t1"`, `1 invoke A "t2"`, `1 ok A "t2"`, `0 invoke R "t1"`, `0 ok R "t1"`, `1 invoke R "t2"`, `1 ok R "t2"`)
	owners := ops(`0 invoke A "p"`, `0 ok A "p"`, `1 invoke A "q"`, `1 ok A "q"`, `0 invoke R "p"`, `0 ok R "p"`,
		`1 invoke R "q"`, `1 ok R "q"`, `0 invoke A "p"`, `0 ok A "p"`, `1 invoke A "q"`, `1 ok A "q"`)
	locks := ops(`0 invoke A "p"`, `0 ok A "p"`, `1 invoke A "q"`, `1 ok A "q"`, `0 invoke R "p"`, `0 ok R "p"`,
		`1 invoke R "q"`, `1 ok R "q"`, `1 invoke A "p"`, `1 ok A "p"`, `0 invoke A "q"`, `0 ok A "q"`)
	others := ops(`0 invoke A nil`, `0 ok A {:owner "p"}`, `1 invoke R {:owner "q"}`, `1 ok R nil`)
	handed := ops(`0 invoke A nil`, `0 ok A {:owner "p"}`, `1 invoke R {:owner "p"}`, `1 ok R nil`)
	token := ops(`0 invoke A nil`, `0 ok A {:token "t1"}`, `1 invoke R {:token "t2"}`, `1 ok R nil`)
	results := ops(`0 invoke A "bob"`, `0 ok A "Grant [7]"`, `1 invoke N "bob"`, `1 ok N ""`, `1 invoke R "bob"`, `1 ok R "false"`,
		`0 invoke R "bob"`, `0 ok R "true"`, `1 invoke A "bob"`, `1 ok A "Grant [8]"`)
	for _, c := range []struct {
		name  string
		how   codec.Meaning
		model string
		text  string
		want  string
	}{
		{"numbers of operations, two holders", codec.Undecided, "mutex", ids, "violated"},
		{"numbers of operations, in turn", codec.Undecided, "fenced-mutex", turns, "holds"},
		{"locks whose id comes back", codec.Undecided, "mutex", strings.ReplaceAll(locks, `:ok :f :acquire :value "p"`, `:ok :f :acquire :value {:id "p"}`), "holds"},
		{"tokens", codec.Undecided, "mutex", tokens, `1:1: found the value "t1" in a single acquire, and 2 different ones in 4 operations: probably no lock's name`},
		{"tokens, and said so", codec.Token, "mutex", tokens, "violated"},
		{"tokens, and said to be locks", codec.Lock, "mutex", tokens, "holds"},
		{"tokens, ignored", codec.Ignored, "mutex", tokens, "violated"},
		{"owners", codec.Undecided, "mutex", owners, "1:1: found 2 different values, each used by a separate process: probably no lock's name but the owner's"},
		{"owners, and said so", codec.Owner, "mutex", owners, "violated"},
		{"locks", codec.Undecided, "mutex", locks, "holds"},
		{"locks, and said to be owners", codec.Owner, "mutex", locks, "violated"},
		{"another owner releases", codec.Undecided, "mutex", others, "violated"},
		{"another process of the owner releases", codec.Undecided, "mutex", handed, "holds"},
		{"another process of the owner releases, ignored", codec.Ignored, "mutex", handed, "violated"},
		{"another token releases", codec.Undecided, "mutex", token, "violated"},
		{"results in the place of the name", codec.Undecided, "mutex", results, `2:1: found the value "Grant [7]" in what closes the acquire of line 1, whose value is "bob"; if it is not the lock's name, ` + probably},
		{"results, and said so", codec.Lock, "mutex", results, "holds"},
		{"an owner in two operations at once", codec.Undecided, "mutex", ops(`0 invoke A {:owner "p"}`, `1 invoke A {:owner "p"}`, `0 ok A nil`),
			`2:1: found an operation of owner "p" while its acquire of line 1 is open; want one at a time`},
		{"two owners of one operation", codec.Undecided, "mutex", ops(`0 invoke A {:owner "p"}`, `0 ok A {:client "q"}`),
			`2:1: found the owner "q" in what closes the acquire of line 1, which names "p"`},
		{"an unknown outcome without an owner", codec.Undecided, "mutex", ops(`0 invoke A {:owner "p"}`, `0 ok A nil`, `1 invoke R nil`, `1 info R nil`),
			"3:1: found a release without the owner, which other ops name"},
		{"the owner goes on after an unknown outcome", codec.Undecided, "mutex", ops(`0 invoke A {:owner "p"}`, `0 ok A nil`, `0 invoke R {:owner "p"}`, `0 info R nil`,
			`5 invoke R {:owner "p"}`, `5 ok R nil`, `1 invoke A {:owner "q"}`, `1 ok A nil`), "holds"},
	} {
		if _, got := judged(t, codec.Reading{Value: c.how}, c.model, c.text); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s; want %s", c.name, got, c.want)
		}
	}
}

func TestOwnersActInPlaceOfProcesses(t *testing.T) {
	r, _ := judged(t, codec.Reading{}, "mutex", ops(`7 invoke A {:owner "p"}`, `7 info A nil`, `3 invoke A nil`, `3 ok A {:owner "q"}`, `9 invoke R {:owner :p}`, `9 ok R nil`))
	if r == nil || len(r.Owners) != 2 || r.Process(0) != 7 || r.Process(3) != 3 || r.Who(r.History[4].Process) != `owner "p"` || r.Who(r.History[2].Process) != `owner "q"` ||
		r.History[4].Process != r.History[0].Process+2 {
		t.Errorf("%+v", r)
	}
}

// A token that no release repeats can't say whose hold a release ends, and is passed over.
func TestATokenThatNoReleaseRepeatsIsNotUsed(t *testing.T) {
	r, got := judged(t, codec.Reading{}, "mutex", ops(`0 invoke A nil`, `0 ok A {:token "t1"}`, `0 invoke R nil`, `0 ok R nil`))
	if got != "holds" || len(r.Owners) > 0 {
		t.Errorf("%s, %+v", got, r)
	}
}

func TestAnOkThatBroughtBackFalseFailed(t *testing.T) {
	r, err := codec.Reading{}.Read(strings.NewReader(ops(`0 invoke A "a"`, `0 ok A false`, `0 invoke R "a"`, `0 ok R "false"`, `0 invoke N "a"`, `0 ok N ""`, `0 invoke A "a"`, `0 ok A true`)))
	if err != nil || r.Falses != 3 {
		t.Fatalf("%+v, %v", r, err)
	}
	for i, want := range []checker.Type{checker.Fail, checker.Fail, checker.Fail, checker.OK} {
		if got := r.History[2*i+1].Type; got != want {
			t.Errorf("op %d is %v; want %v", 2*i+1, got, want)
		}
	}
}
