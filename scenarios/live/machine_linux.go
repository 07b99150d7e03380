package live

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
	"unsafe"
)

// supported returns why no live run can be made on this system; nil where one can.
func supported() error { return nil }

// The clocks of Linux, by their numbers.
const (
	realtimeClock  = 0
	monotonicClock = 1
)

// Monotonic returns what CLOCK_MONOTONIC shows, which is the same in all processes of the machine.
func Monotonic() int64 { return readClock(monotonicClock) }

// wallClock returns what CLOCK_REALTIME shows.
func wallClock() int64 { return readClock(realtimeClock) }

func readClock(id uintptr) int64 {
	var t syscall.Timespec
	_, _, _ = syscall.Syscall(syscall.SYS_CLOCK_GETTIME, id, uintptr(unsafe.Pointer(&t)), 0) // it can't fail for these clocks
	return t.Nano()
}

// nap sleeps for less than a millisecond. Go's own timers are that coarse while a process has nothing else to do.
func nap(d time.Duration) {
	t := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&t, nil) // one that is interrupted is short enough
}

// tieToDriver makes a command the head of a process group, which the kernel kills with the driver.
func tieToDriver(c *exec.Cmd) {
	if c.SysProcAttr == nil {
		c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	}
	c.SysProcAttr.Setpgid = true
}

// ownGroup makes a command the head of a process group, which outlives the driver.
func ownGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// quits reports whether a command is to end in its own way: its caller has asked the kernel to tell it SIGQUIT.
func quits(c *exec.Cmd) bool {
	return c.SysProcAttr != nil && c.SysProcAttr.Pdeathsig == syscall.SIGQUIT
}

func continueGroup(pid int)  { signalGroup(pid, syscall.SIGCONT) }
func killGroup(pid int)      { signalGroup(pid, syscall.SIGKILL) }
func terminateGroup(pid int) { signalGroup(pid, syscall.SIGTERM) }
func quitGroup(pid int)      { signalGroup(pid, syscall.SIGQUIT) }

// signalGroup sends a signal to a process group. It is no error that the group has ended.
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

// inodeOf returns the number of a file's inode.
func inodeOf(about os.FileInfo) uint64 {
	if s, ok := about.Sys().(*syscall.Stat_t); ok {
		return s.Ino
	}
	return 0
}
