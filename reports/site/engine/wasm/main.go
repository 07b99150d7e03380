//go:build js

package main

import (
	"runtime/debug"
	"syscall/js"

	"github.com/lockstorm/lockstorm/reports/site/play"
)

// version is set by the builder.
var version string

func main() {
	debug.SetGCPercent(400)         // a run drops much, and a page has one core for it
	debug.SetMemoryLimit(400 << 20) // near it, garbage is collected more often: the memory of a page never shrinks
	p := play.Program{Version: version}
	js.Global().Set("lockstorm", map[string]any{"call": js.FuncOf(func(_ js.Value, args []js.Value) any {
		if len(args) != 2 {
			return `{"error":{"message":"call takes a name and a request"}}`
		}
		return string(p.Call(args[0].String(), []byte(args[1].String())))
	})})
	select {} // the page calls
}
