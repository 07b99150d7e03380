package live

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// supported returns why no live run can be made on this system; nil where one can.
func supported() error { return nil }

// alone makes a command the head of a process group, which the kernel kills with the driver.
func alone(c *exec.Cmd) {
	if c.SysProcAttr == nil {
		c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	}
	c.SysProcAttr.Setpgid = true
}

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

// quits reports whether a command is to end in its own way.
func quits(c *exec.Cmd) bool {
	return c.SysProcAttr != nil && c.SysProcAttr.Pdeathsig == syscall.SIGQUIT
}

// giveAway makes the user that PostgreSQL runs as the owner of a directory.
func giveAway(directory string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	return os.Chown(directory, nobody, nobody)
}

// quitGroup tells a process to end at once, in its own way.
func quitGroup(pid int) { signalGroup(pid, syscall.SIGQUIT) }

// signal sends a signal to a process group. That there is none any more is no error.
func signalGroup(pid int, s syscall.Signal) { _ = syscall.Kill(-pid, s) }

// stopGroup stops a process, and waits until it stands still.
func stopGroup(pid int) error {
	signalGroup(pid, syscall.SIGSTOP)
	for since := time.Now(); ; nap(20 * time.Microsecond) {
		switch state := processState(pid); {
		case state == 'T' || state == 0 || state == 'Z':
			return nil
		case time.Since(since) > time.Second:
			return fmt.Errorf("process %d does not stop: it is in state %c", pid, state)
		}
	}
}

// processState returns the state of a process as /proc has it, such as T for stopped; 0 if there is no such process.
func processState(pid int) byte {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	i := bytes.LastIndexByte(text, ')') // the name before it may hold anything
	if err != nil || i < 0 || i+2 >= len(text) {
		return 0
	}
	return text[i+2]
}

func continueGroup(pid int)  { signalGroup(pid, syscall.SIGCONT) }
func killGroup(pid int)      { signalGroup(pid, syscall.SIGKILL) }
func terminateGroup(pid int) { signalGroup(pid, syscall.SIGTERM) }

// ownGroup makes a command the head of a process group, which outlives the driver.
func ownGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// inodeOf returns the number of a file's inode.
func inodeOf(about os.FileInfo) uint64 {
	if s, ok := about.Sys().(*syscall.Stat_t); ok {
		return s.Ino
	}
	return 0
}
