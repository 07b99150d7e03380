// Command wasm is the simulator for a page: compiled to WebAssembly it sets lockstorm.call, which is
// Program.Call of package play. Package engine builds it.
package main
