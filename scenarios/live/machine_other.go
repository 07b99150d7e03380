//go:build !linux

package live

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"time"
)

// supported returns why no live run is possible on this system.
func supported() error {
	return errors.New("live runs are made on Linux alone: elsewhere there is no CLOCK_MONOTONIC that all processes share, " +
		"and nothing ends the servers with their parent")
}

var processBegan = time.Now()

// Monotonic returns the time since the process began. No live run is possible here: see supported.
func Monotonic() int64 { return int64(time.Since(processBegan)) }

func wallClock() int64 { return time.Now().UnixNano() }

func nap(d time.Duration) { time.Sleep(d) }

func tieToDriver(*exec.Cmd) {}
func ownGroup(*exec.Cmd)    {}
func quits(*exec.Cmd) bool  { return false }
func stopGroup(int) error   { return supported() }
func continueGroup(int)     {}
func killGroup(int)         {}
func terminateGroup(int)    {}
func quitGroup(int)         {}
func killMarked(string)     {}

func processState(int) byte { return 0 }

func inodeOf(os.FileInfo) uint64 { return 0 }

func idle(net.Conn) bool { return true }
