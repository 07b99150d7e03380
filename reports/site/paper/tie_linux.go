package paper

import (
	"os/exec"
	"syscall"
)

// tie has a command end where this process is killed: it would go on in the folder in which the next one begins. Whoever starts
// it stays on its thread until it has ended.
func tie(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
