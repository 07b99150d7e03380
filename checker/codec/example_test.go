package codec_test

import (
	"fmt"
	"strings"

	"github.com/lockstorm/lockstorm/checker/codec"
)

// A history in Jepsen's shape, with a nemesis op. An op that closes an operation may leave the lock's name out.
func ExampleReading_Read() {
	text := `{:process 0, :type :invoke, :f :acquire, :value "a"}
{:process :nemesis, :type :info, :f :start-partition}
{:process 0, :type :ok, :f :acquire, :value {:fence 7}}`
	r, err := codec.Reading{}.Read(strings.NewReader(text))
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, o := range r.History {
		fmt.Println(r.Place(i), "process", o.Process, o.Type, o.F, o.Lock, o.Value.Fence)
	}
	_, err = codec.Reading{}.Read(strings.NewReader("{:process 0, :type :okay, :f :acquire}"))
	fmt.Println(err)
	// Output:
	// 1:1 process 0 invoke acquire a 0
	// 3:1 process 0 ok acquire a 7
	// 1:20: found a keyword, :okay as a type; want one of invoke, ok, fail, info
}
