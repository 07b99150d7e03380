//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "this program runs only in a web page; `lockstorm-full site DIR` builds it and writes that page")
	os.Exit(254)
}
