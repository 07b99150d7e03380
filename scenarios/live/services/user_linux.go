package services

import (
	"os"
	"os/exec"
	"syscall"
)

// PostgreSQL's server runs as this user if the driver is root, because it refuses to run as root.
const nobody = 65534

// asPostgres prepares a command of PostgreSQL. Its server ends in its own way, because a killed one leaves memory in
// the kernel behind.
func asPostgres(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGQUIT}
	if os.Geteuid() == 0 {
		c.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
}

// giveAway makes the user that PostgreSQL runs as the owner of a directory.
func giveAway(directory string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	return os.Chown(directory, nobody, nobody)
}
