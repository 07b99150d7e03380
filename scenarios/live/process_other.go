//go:build !linux

package live

import (
	"errors"
	"os"
	"os/exec"
)

// supported returns why no live run can be made on this system.
func supported() error {
	return errors.New("live runs are made on Linux alone: elsewhere there is no CLOCK_MONOTONIC that all processes share, and nothing ends the servers with their parent")
}

func alone(*exec.Cmd)       {}
func ownGroup(*exec.Cmd)    {}
func stopGroup(int) error   { return supported() }
func continueGroup(int)     {}
func killGroup(int)         {}
func terminateGroup(int)    {}
func quitGroup(int)         {}
func asPostgres(*exec.Cmd)  {}
func quits(*exec.Cmd) bool  { return false }
func giveAway(string) error { return supported() }

func inodeOf(os.FileInfo) uint64 { return 0 }

func processState(int) byte { return 0 }
