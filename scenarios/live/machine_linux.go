package live

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"syscall"
	"time"
	"unsafe"
)

// supported returns why no live run is possible on this system; nil if one is.
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

// nap sleeps for less than a millisecond, for which Go's own timers are too coarse in an idle process.
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

// quits reports whether a command ends in its own way: its caller has asked the kernel to send it SIGQUIT.
func quits(c *exec.Cmd) bool {
	return c.SysProcAttr != nil && c.SysProcAttr.Pdeathsig == syscall.SIGQUIT
}

func continueGroup(pid int)  { signalGroup(pid, syscall.SIGCONT) }
func killGroup(pid int)      { signalGroup(pid, syscall.SIGKILL) }
func terminateGroup(pid int) { signalGroup(pid, syscall.SIGTERM) }
func quitGroup(pid int)      { signalGroup(pid, syscall.SIGQUIT) }

// signalGroup sends a signal to a process group. It is no error that the group has ended.
func signalGroup(pid int, s syscall.Signal) { _ = syscall.Kill(-pid, s) }

// killMarked kills each process whose environment has an entry that begins with a mark, and its later children, in any
// group or session, until there is none. A process that has emptied its environment is found while its parent lives.
func killMarked(mark string) {
	for range 50 {
		found := marked(mark)
		for _, pid := range found {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		if len(found) == 0 {
			return
		}
		nap(time.Millisecond)
	}
}

// marked lists the processes that have a mark, and their descendants.
func marked(mark string) (all []int) {
	entries, _ := os.ReadDir("/proc")
	children, own := map[int][]int{}, os.Getpid()
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == own {
			continue
		}
		if state, parent := processStat(pid); state != 0 && state != 'Z' {
			children[parent] = append(children[parent], pid)
			text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
			if bytes.Contains(append([]byte{0}, text...), []byte("\x00"+mark)) {
				all = append(all, pid)
			}
		}
	}
	for i := 0; i < len(all); i++ {
		for _, pid := range children[all[i]] {
			if !slices.Contains(all, pid) {
				all = append(all, pid)
			}
		}
	}
	return all
}

// stopGroup stops a process, and waits until it has stopped.
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
	state, _ := processStat(pid)
	return state
}

// processStat returns the state of a process, and its parent.
func processStat(pid int) (state byte, parent int) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	i := bytes.LastIndexByte(text, ')') // the name before it may hold anything
	if err != nil || i < 0 {
		return 0, 0
	}
	f := bytes.Fields(text[i+1:])
	if len(f) < 2 || len(f[0]) != 1 {
		return 0, 0
	}
	parent, _ = strconv.Atoi(string(f[1]))
	return f[0][0], parent
}

// inodeOf returns the number of a file's inode.
func inodeOf(about os.FileInfo) uint64 {
	if s, ok := about.Sys().(*syscall.Stat_t); ok {
		return s.Ino
	}
	return 0
}

// idle reports whether nothing has come on a connection, not even its end.
func idle(c net.Conn) (is bool) {
	raw, err := c.(*net.TCPConn).SyscallConn()
	if err != nil {
		return false
	}
	err = raw.Read(func(fd uintptr) bool {
		_, _, err := syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		is = errors.Is(err, syscall.EAGAIN)
		return true
	})
	return is && err == nil
}
