package simtest

import (
	"os/exec"
	"syscall"
)

// Tie ends a server with the test that starts it, even if that is killed and cleans nothing up.
func Tie(server *exec.Cmd) {
	if server.SysProcAttr == nil {
		server.SysProcAttr = &syscall.SysProcAttr{}
	}
	server.SysProcAttr.Pdeathsig = syscall.SIGKILL
}
