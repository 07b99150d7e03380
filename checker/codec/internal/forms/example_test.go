package forms_test

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/lockstorm/lockstorm/checker/codec/internal/forms"
)

func ExampleReader() {
	r := forms.NewReader(strings.NewReader("{:f :acquire, :value 22/7} ; half a pie\n#_ignored [1 {:a}]"), forms.Any)
	for {
		f, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(f.Place(), f.Kind(), string(f.Append(nil)))
	}
	// Output:
	// 1:1 a map {:f :acquire :value 22/7}
	// 2:17: found '}' after a key; want a value for it first
}
