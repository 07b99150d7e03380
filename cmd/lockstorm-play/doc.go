// Command lockstorm-play is the simulator for a page: compiled to WebAssembly it sets lockstorm.call, which is
// Program.Call of package play. Package cmd/internal/engine builds it.
package main
