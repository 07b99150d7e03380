package codec

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/lockstorm/lockstorm/checker/codec/internal/forms"
)

// An unsorted is an Error that is ErrUnsorted too.
type unsorted struct{ of *Error }

func (u unsorted) Error() string   { return u.of.Error() }
func (u unsorted) Unwrap() []error { return []error{u.of, ErrUnsorted} }

// orUnsorted returns the error about an op, or that the indices fall, there or later: what is wrong may then be the order.
func (r *recorder) orUnsorted(f forms.Form, wrong error) error {
	if r.Sort || r.indexed != present || errors.Is(wrong, ErrUnsorted) {
		return wrong
	}
	last := int64(-1)
	if n := len(r.History); n > 0 {
		last = int64(r.Index(n - 1))
	}
	for err := error(nil); err == nil && f.Exists(); f, err = r.in.Next() {
		n, has := indexOf(f)
		if has && n < last {
			return unsorted{&Error{Place: f.Place(), Says: fmt.Sprintf("found the index %d after %d; want indices that rise", n, last)}}
		}
		if has {
			last = n
		}
	}
	return wrong
}

// indexOf returns the index of an op, and whether it has one.
func indexOf(f forms.Form) (int64, bool) {
	l, err := split(f)
	if err != nil || !there(l.index) {
		return 0, false
	}
	n, err := whole(l.index, "index", "")
	return n, err == nil
}

// A piece is the text of one op, and the index by which it is put in order.
type piece struct {
	index int64
	text  []byte
	at    Place
}

// sorted reads the whole text, and returns what returns its ops in the order of their indices. What has no index, or none
// that can be read, comes after the op before it.
func (r *recorder) sorted() (next func() (forms.Form, error), err error) {
	var pieces []piece
	last := int64(-1)
	for {
		f, err := r.in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if n, has := indexOf(f); has {
			last = n
		}
		pieces = append(pieces, piece{last, slices.Clone(f.Text()), f.Place()})
	}
	byIndex := func(a, b piece) int { return cmp.Compare(a.index, b.index) }
	r.Sorted = !slices.IsSortedFunc(pieces, byIndex)
	slices.SortStableFunc(pieces, byIndex)
	return func() (forms.Form, error) {
		if len(pieces) == 0 {
			return forms.Form{}, io.EOF
		}
		p := pieces[0]
		pieces = pieces[1:]
		return forms.Parse(p.text, r.in.Syntax(), p.at)
	}, nil
}
