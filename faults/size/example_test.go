package size_test

import (
	"errors"
	"fmt"

	"github.com/lockstorm/lockstorm/faults/size"
)

func Example() {
	pause, err := size.Parse("pareto(1ms,1.2,60s)")
	if err != nil {
		panic(err)
	}
	fmt.Println("half of all pauses are shorter than", pause.Word(pause.Quantile(size.One/2)))
	rare := pause.Within(size.One*99/100, size.One)
	fmt.Println(rare, "is", rare.Word(rare.Mean()), "in the mean")

	_, err = size.Parse("pareto(1ms,1.2)")
	var wrong *size.Error
	fmt.Println(errors.As(err, &wrong), wrong.Column, wrong.Problem)
	// Output:
	// half of all pauses are shorter than 1.782ms
	// pareto(1ms,1.2,1m0s)[0.99..1] is 212.094278ms in the mean
	// true 15 pareto lacks a most such as 10s
}
