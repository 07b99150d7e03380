package services

import (
	"github.com/lockstorm/lockstorm/scenarios/live"
	"github.com/lockstorm/lockstorm/sim"
)

// A node is the process of a server on a host of the world. It is stopped while the host is paused, and ends and
// starts with it.
type node struct {
	driver  *live.Driver
	host    *sim.Host
	start   func() (*live.Process, error)
	process *live.Process
	pauses  int
}

// launch starts the process.
func (n *node) launch() (err error) {
	n.process, err = n.start()
	return err
}

// apply pauses or continues the process.
func (n *node) apply(kind sim.Kind) {
	switch kind {
	case sim.Paused:
		if n.pauses++; n.pauses == 1 && n.host.Up() {
			n.driver.Must(n.process.Stop())
		}
	case sim.Resumed:
		if n.pauses--; n.pauses == 0 && n.host.Up() {
			n.process.Continue()
		}
	}
}

// Stop ends the process.
func (n *node) Stop(power bool) {
	if n.process.Continue(); power {
		n.process.Kill()
		return
	}
	n.process.Terminate()
}

// Start restarts the process, with its data.
func (n *node) Start() {
	n.driver.Must(n.launch())
	if n.pauses > 0 {
		n.driver.Must(n.process.Stop())
	}
}

// Settle does nothing: the clock of a server that asks the kernel itself can't be stepped.
func (n *node) Settle() {}
