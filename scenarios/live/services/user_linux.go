package services

import (
	"os"
	"os/exec"
	"syscall"
)

// nobody is the user that a server of PostgreSQL's runs as, where the driver is root: it refuses to be.
const nobody = 65534

// asPostgres makes a command one of PostgreSQL's. Its server ends in its own way, as it keeps memory in the kernel that outlives
// it when it is killed.
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
