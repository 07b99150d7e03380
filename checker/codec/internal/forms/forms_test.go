package forms

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"olympos.io/encoding/edn"
	"pgregory.net/rapid"
)

// all prints the forms of a text one a line, up to the error there may be.
func all(in io.Reader, s Syntax) (string, error) {
	r := NewReader(in, s)
	var b []byte
	for {
		f, err := r.Next()
		if err == io.EOF {
			return string(b), nil
		}
		if err != nil {
			return string(b), err
		}
		b = append(f.Append(b), '\n')
	}
}

func TestFormsArePrintedAsTheyAreMeant(t *testing.T) {
	for text, want := range map[string]string{
		"":                                        "",
		" ; nothing\n,,\t":                        "",
		"nil true false":                          "nil|true|false",
		"0 -0 +7 7N -12 99999999999999999999":     "0|-0|+7|7N|-12|99999999999999999999",
		"1.5 1. 1e9 1E-9 -1.5e+3M 7M":             "1.5|1.|1e9|1E-9|-1.5e+3M|7M",
		"22/7 -1/2":                               "22/7|-1/2",
		"##NaN ##Inf ##-Inf":                      "##NaN|##Inf|##-Inf",
		`"" "a\tb\n\"\\" "a` + "\n" + `b"`:        `""|"a\u0009b\n\"\\"|"a\nb"`,
		`"\u00e4\ud83d\ude00\ud83d\101\0"`:        `"ä😀` + "\uFFFD" + `A\u0000"`,
		`\a \newline \u00e4 \ä \( \\ \; \o101 \u`: `\a|\newline|\u00e4|\ä|\(|\\|\;|\o101|\u`,
		"a a/b + - -a . .a / <= a' a#b a:b":       "a|a/b|+|-|-a|.|.a|/|<=|a'|a#b|a:b",
		":a :a/b :1 :ä :a.b/c-d?":                 ":a|:a/b|:1|:ä|:a.b/c-d?",
		"x (1 (2),3)":                             "x|(1 (2) 3)",
		"{:a[1 {}]\"b\"#{1 2}}x":                  `{:a [1 {}] "b" #{1 2}}|x`,
		"#inst\"2026\" #uuid \"1\" #a.b.C{:a 1} #object[a.b 0x1fA \"c\"]": `#inst "2026"|#uuid "1"|#a.b.C {:a 1}|#object [a.b 0x1fA "c"]`,
		"0x1F -0XfF 16r1f 2R101 +36rZ":                                    "0x1F|-0XfF|16r1f|2R101|+36rZ",
		`#"a\"\d+\\" #""`:                                                 `#"a\"\d+\\"|#""`,
		"#\"a\n\t\"":                                                      `#"a\n\u0009"`,
		"#'user/x #'y":                                                    "#'user/x|#'y",
		"^{:line 1} a ^:b ^c [1 ^d 2] (^{} x)":                            "a|[1 2]|(x)",
		"#error{:via [{:at [a.B$C <init> \"B.java\" 1]}]}":                `#error {:via [{:at [a.B$C <init> "B.java" 1]}]}`,
		"#:a{:b 1} #:a.b {:_/c 2}":                                        "#:a{:b 1}|#:a.b{:_/c 2}",
		"1 #_2 3 #_ #_ 4 5 6 #_#a{:b #_c d}":                              "1|3|6",
		"x (1 #_2) {#_a :b #_c 1}":                                        "x|(1)|{:b 1}",
		"[1 2 3]":                                                         "1|2|3",
		"; why\n( {:a 1}\n{:a 2} #_3 ) ; end":                             "{:a 1}|{:a 2}",
		"[]":                                                              "",
		"\uFEFF1":                                                         "1",
		"a;b\nc\"d\"e(f)g":                                                `a|c|"d"|e|(f)|g`,
	} {
		got, err := all(strings.NewReader(text), EDN)
		if want != "" {
			want = strings.ReplaceAll(want, "|", "\n") + "\n"
		}
		if err != nil || got != want {
			t.Errorf("%q\n got %q, %v\nwant %q", text, got, err, want)
		}
		again, err := all(strings.NewReader(got), EDN)
		if err != nil || again != got {
			t.Errorf("%q is printed as %q, and that as %q, %v", text, got, again, err)
		}
		slowly, err := all(iotest.OneByteReader(strings.NewReader(text)), EDN)
		if err != nil || slowly != got {
			t.Errorf("%q byte by byte: %q, %v", text, slowly, err)
		}
	}
}

func TestInvalidEDNIsRejectedWithItsPlace(t *testing.T) {
	for text, want := range map[string]string{
		"(1":                                    "1:3: found the end of the text; want ')', which closes the vector that it begins with",
		"{:a\n [1 2}":                           `2:6: found '}'; want ']', which closes the '[' at 2:2`,
		"{:a 1":                                 "1:6: found the end of the text; want '}', which closes the '{' at 1:1",
		"x #{1":                                 "1:6: found the end of the text; want '}', which closes the '{' at 1:3",
		"{:a}":                                  "1:4: found '}' after a key; want a value for it first",
		"x )":                                   `1:3: found ")"; want a form, such as a map`,
		"\n  \"abc":                             "2:7: found the end of the text; want a quote, which closes the string at 2:3",
		`"a\qb"`:                                `1:3: found an escape that is none: "\\qb"; want`,
		`"\u12g4"`:                              `1:2: found an escape that is none`,
		`"\400"`:                                `1:2: found an escape that is none`,
		"\"a\xff\"":                             "1:3: found byte 0xff in a string; want UTF-8",
		"a\xffb":                                `1:1: found bytes that are not UTF-8 in "a\xffb"; want UTF-8`,
		"007":                                   `1:1: found "007"; want a number, such as`,
		"0x":                                    `1:1: found "0x"; want a number`,
		"0x1G":                                  `1:1: found "0x1G"; want a number`,
		"37r1":                                  `1:1: found "37r1"; want a number`,
		"2r12":                                  `1:1: found "2r12"; want a number`,
		"#'":                                    "1:1: found #' without a name",
		`#"a\"`:                                 "1:6: found the end of the text; want a quote, which closes the regular expression at 1:1",
		"#\"\xff\"":                             "1:1: found bytes that are not UTF-8 in a regular expression",
		"^a":                                    "1:3: found the end of the text; want two forms after ^",
		"(^a)":                                  `1:4: found ")"; want a form`,
		"1.5N":                                  `1:1: found "1.5N"; want a number`,
		"1/0":                                   `1:1: found "1/0"; want a number`,
		"1/":                                    `1:1: found "1/"; want a name after the slash`,
		"1e":                                    `1:1: found "1e"; want a number`,
		".5":                                    `1:1: found ".5"; want a symbol, or a number with a digit before its point`,
		"a/":                                    `1:1: found "a/"; want a name after the slash`,
		"/a":                                    `1:1: found "/a"; want a symbol`,
		":":                                     `1:1: found ":"; want a keyword, such as :ok`,
		"::a":                                   `1:1: found "::a"; want a keyword`,
		":/":                                    `1:1: found ":/"; want a`,
		"##Nan":                                 `1:1: found "##Nan"; want ##NaN, ##Inf or ##-Inf`,
		`\ a`:                                   `1:2: found " " after a backslash; want a character`,
		`\newlin`:                               `1:1: found "\\newlin"; want a character`,
		`\`:                                     "1:2: found the end of the text; want a character after the backslash",
		"#":                                     "1:2: found the end of the text; want a tag",
		"#1":                                    `1:2: found "1" after #; want a tag`,
		"#a":                                    "1:3: found the end of the text; want a form after the tag at 1:1",
		"#:a[1]":                                `1:4: found "[" after a namespace; want a map`,
		"#_":                                    "1:3: found the end of the text; want a form after #_",
		"(#_)":                                  `1:4: found ")"; want a form`,
		"@a":                                    `1:1: found "@"; want a form`,
		"'a":                                    `1:1: found "'"; want a form`,
		"a\x00":                                 `1:2: found byte 0x00; want a form`,
		"äöü )":                                 `1:5: found ")"; want a form`,
		"[1] 2":                                 `1:5: found "2" after the vector that the text began with; want nothing more`,
		strings.Repeat("(", 103):                "1:103: found something nested deeper than 100",
		strings.Repeat("#_", 102):               "1:203: found something nested deeper than 100",
		"x " + strings.Repeat("#_(", 102) + "1": "1:155: found something nested deeper than 100",
	} {
		_, err := all(strings.NewReader(text), EDN)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q\n got %v\nwant %s", text, err, want)
		}
		_, slowly := all(iotest.OneByteReader(strings.NewReader(text)), EDN)
		if slowly == nil || err == nil || slowly.Error() != err.Error() {
			t.Errorf("%q byte by byte: %v, at once %v", text, slowly, err)
		}
	}
}

func TestInvalidJSONIsRejectedWithItsPlace(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1}` + "\n" + `{"a" 1}`: `2:6: found "1"; want a colon after the key`,
		`{"a":1,}`:                   `1:8: found "}"; want a key in quotes`,
		`{"a":1 "b":2}`:              `1:8: found "\""; want a comma, or '}', which closes the '{' at 1:1`,
		`{a:1}`:                      `1:2: found "a"; want a key in quotes`,
		`{"a":NaN}`:                  `1:6: found "NaN"; want a value`,
		`{"a":01}`:                   `1:6: found "01"; want a number`,
		`{"a":1.}`:                   `1:6: found "1."; want a number`,
		`{"a":7N}`:                   `1:6: found "7N"; want a number`,
		`{"a":0x1}`:                  `1:6: found "0x1"; want a number`,
		`{"a":2r1}`:                  `1:6: found "2r1"; want a number`,
		`{"a":+1}`:                   `1:6: found "+"; want a value`,
		`{"a":1`:                     `1:7: found the end of the text; want '}', which closes the '{' at 1:1`,
		`{"a`:                        `1:4: found the end of the text; want a quote, which closes the string at 1:2`,
		`{"a":"` + "\n":              `2:1: found the end of the text; want a quote, which closes the string at 1:6`,
		`{"a":"` + "\n\"}":           `1:7: found byte 0x0a in a string; want it escaped`,
		`{"a":"\'"}`:                 `1:7: found an escape that is none`,
		`{"a":"\101"}`:               `1:7: found an escape that is none`,
		`[{"a":1} {}]`:               `1:10: found "{"; want a comma, or ']' at the end of the array`,
		`[{"a":1},]`:                 `1:10: found "]"; want a value`,
		`[{"a":1}`:                   `1:9: found the end of the text; want ']', which closes the vector`,
		`[{"a":1}] {}`:               `1:11: found "{" after the vector`,
		`{"a":(1)}`:                  `1:6: found "("; want a value`,
		"{\"a\":\"\xff\"}":           `1:7: found byte 0xff in a string; want UTF-8`,
	} {
		if _, err := all(strings.NewReader(text), JSON); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q\n got %v\nwant %s", text, err, want)
		}
	}
}

func TestTheSyntaxIsSeenFromTheBeginning(t *testing.T) {
	for text, json := range map[string]bool{
		"": false, "[]": false, "{}": false, "{:a 1}": false, "[{:a 1}]": false, ";{\"a\":1}": false, "#_{\"a\":1}": false,
		`{"a":1}`: true, `{"a" : 1}`: true, ` [ { "a\"b" :1`: true, `{"a" :true}`: true, `{"a":true}`: true,
		`{"type" :invoke}`: false, `{"type" "invoke"}`: false, `[{"a" :b`: false, `{"a":b`: true, "{\n\"a\"\n:\n1}": true,
		`{"a" :-1}`: true, "\uFEFF[{\"a\":1}]": true,
	} {
		if r := NewReader(strings.NewReader(text), Any); r.json != json {
			t.Errorf("%q: JSON is %v", text, r.json)
		}
	}
}

// An endless reads as a beginning and then the same for ever, and counts what was read.
type endless struct {
	begin, then string
	read        int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.begin)
	e.begin = e.begin[n:]
	for n < len(p) {
		n += copy(p[n:], e.then)
	}
	e.read += n
	return n, nil
}

func TestAnEndlessFormOrGapIsRefusedSoon(t *testing.T) {
	for begin, c := range map[string]struct{ then, want string }{
		"1 \"":     {"a", "1:3: found a form longer than 1 MiB"},
		"1 2 \"":   {`\\`, "1:5: found a form longer than 1 MiB"},
		"1 ":       {" ", "found nothing but blanks and comments"},
		"1 ;":      {"-", "1:2: found nothing but blanks and comments"},
		"1 #_ (":   {"a ", "1:2: found nothing but blanks and comments"},
		"1 a":      {"a", "1:3: found a form longer"},
		"1 7":      {"7", "1:3: found a form longer"},
		"\n\n{:a ": {"1 ", "3:1: found a form longer"},
		"[ ":       {"\n", "found nothing but blanks"},
		"[ (":      {"() ", "1:3: found a form longer"},
	} {
		e := &endless{begin: begin, then: c.then}
		if _, err := all(e, Any); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q and then %q: %v", begin, c.then, err)
		}
		if e.read > 4*limitBytes {
			t.Errorf("%q and then %q: %d bytes were read", begin, c.then, e.read)
		}
	}
}

func TestUnreadableInputIsAnError(t *testing.T) {
	broken := errors.New("disk on fire")
	in := io.MultiReader(strings.NewReader("1 (2\n"), iotest.ErrReader(broken))
	if got, err := all(in, EDN); got != "1\n" || err == nil || err.Error() != "2:1: can't be read further: disk on fire" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := all(idle{}, EDN); err == nil || !strings.Contains(err.Error(), io.ErrNoProgress.Error()) {
		t.Error(err)
	}
}

type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

// genEDN draws a form that both we and go-edn understand.
func genEDN(depth int) *rapid.Generator[string] {
	atom := rapid.OneOf(
		rapid.SampledFrom([]string{"nil", "true", "false", ":a", ":a/b", "a", "a/b", `\a`, `\newline`, `"a\nb"`, "##", "-7", "+7", "0", "1.5", "1e3", "12N", "1.5M"}),
		rapid.StringMatching(`[1-9][0-9]{0,12}N?`), rapid.StringMatching(`:[a-z][a-z0-9.*!_?$%&=<>-]{0,5}`),
		rapid.StringMatching(`"[ -!#-\[\]-~äß\n]{0,6}"`), rapid.StringMatching(`-?(0|[1-9][0-9]{0,3})\.[0-9]{1,3}`),
	).Filter(func(s string) bool { return s != "##" })
	if depth == 0 {
		return atom
	}
	return rapid.Custom(func(t *rapid.T) string {
		kids := rapid.SliceOfN(genEDN(depth-1), 0, 4).Draw(t, "kids")
		gap := rapid.SampledFrom([]string{" ", ", ", "\n", " ; c\n", " #_x ", " #_(1 #_2) "}).Draw(t, "gap")
		inner := strings.Join(kids, gap)
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0:
			return "(" + inner + ")"
		case 1:
			return "[" + gap + inner + "]"
		case 2:
			return "{:k" + gap + "[" + inner + "]}"
		case 3:
			return "#{(" + inner + ")}"
		case 4:
			return "#some/tag (" + inner + ")"
		}
		return atom.Draw(t, "atom")
	})
}

func TestReadsEDNLikeGoEDN(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := genEDN(3).Draw(t, "text")
		ours, err := all(strings.NewReader("x "+text), EDN)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		ours = strings.TrimPrefix(ours, "x\n")
		if a, b := theirs(t, text), theirs(t, ours); a != b {
			t.Fatalf("%q is to go-edn %s; printed as %q it is %s", text, a, ours, b)
		}
	})
}

// theirs returns what go-edn makes of a text.
func theirs(t *rapid.T, text string) string {
	var v any
	if err := edn.UnmarshalString(text, &v); err != nil {
		t.Fatalf("go-edn on %q: %v", text, err)
	}
	b, err := edn.Marshal(v)
	if err != nil {
		t.Fatalf("go-edn on %#v: %v", v, err)
	}
	return string(b)
}

func TestWeReadWhatGoEDNRejects(t *testing.T) {
	for _, text := range []string{"22/7", "##NaN", "##Inf", "#:a{:b 1}", `"\101"`} {
		var v any
		if err := edn.UnmarshalString(text, &v); err == nil {
			t.Errorf("go-edn reads %s as %v", text, v)
		}
		if _, err := all(strings.NewReader(text), EDN); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// FuzzEDN: no bytes make it panic; what is read is printed, and the print is read as the same; how the bytes come, in
// one piece or one by one, makes no difference.
func FuzzEDN(f *testing.F) {
	for _, s := range []string{
		"", "{:index 0, :time 5, :process 1, :type :invoke, :f :acquire, :value nil}", "[{:a 1} #_b {:c \\d}]", "#:a{:b #{1 2}}",
		"##NaN 22/7 1.5e-3M 7N", `"\ud83d\ude00\n\101" \newline \u00e4`, "#jepsen.history.Op{:a [nil true]} ; c", "\x00\xff", "((((", "#_#_a b",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) { fuzz(t, text, EDN) })
}

// FuzzJSON: the same, and encoding/json reads the same values.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{
		"", `{"index":0,"time":5,"process":1,"type":"invoke","f":"acquire","value":null}`, `[{"a":[1,2.5e3,{}]},{"b":"\u00e4\n"}]`,
		`[1,`, `{"a" 1}`, "\x00\xff", `[[[[`, `[1,2] 3`, `"\ud83d\ude00"`, `1E300000 0`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if printed, err := fuzz(t, text, JSON); err == nil && printed != "" && !json.Valid(text) {
			d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte("\uFEFF"))))
			for d.UseNumber(); ; { // a number out of float64's range is still JSON
				var v any
				if err := d.Decode(&v); err == io.EOF {
					break
				} else if err != nil {
					t.Fatalf("%q: we read it; encoding/json says %v", text, err)
				}
			}
		} else if err != nil && json.Valid(text) && bytes.Equal(bytes.ToValidUTF8(text, nil), text) && !strings.Contains(err.Error(), "deeper") &&
			!strings.Contains(err.Error(), "MiB") {
			t.Fatalf("%q: encoding/json reads it; we say %v", text, err)
		}
	})
}

func fuzz(t *testing.T, text []byte, s Syntax) (string, error) {
	got, err := all(bytes.NewReader(text), s)
	slowly, slowErr := all(iotest.HalfReader(bytes.NewReader(text)), s)
	if got != slowly || (err == nil) != (slowErr == nil) || err != nil && err.Error() != slowErr.Error() {
		t.Fatalf("%q: %q, %v at once, and %q, %v slowly", text, got, err, slowly, slowErr)
	}
	var e *Error
	if err != nil && (!errors.As(err, &e) || e.Line < 1 || e.Column < 1) {
		t.Fatalf("%q: an error without a place: %v", text, err)
	}
	if again, err := all(strings.NewReader("x "+got), EDN); err != nil || again != "x\n"+got {
		t.Fatalf("%q is printed as %q, and that as %q, %v", text, got, again, err)
	}
	return got, err
}
