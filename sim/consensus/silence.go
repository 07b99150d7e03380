package consensus

import "fmt"

// silence is raft's logger. It drops raft's messages, for the trace has it all; but it does panic.
type silence struct{}

// A corrupt is why raft gave up: a log that lost what it had promised to keep, say.
type corrupt string

func (silence) Debug(...any)            {}
func (silence) Debugf(string, ...any)   {}
func (silence) Info(...any)             {}
func (silence) Infof(string, ...any)    {}
func (silence) Warning(...any)          {}
func (silence) Warningf(string, ...any) {}
func (silence) Error(...any)            {}
func (silence) Errorf(string, ...any)   {}

func (silence) Fatal(v ...any)                 { panic(corrupt(fmt.Sprint(v...))) }
func (silence) Fatalf(format string, v ...any) { panic(corrupt(fmt.Sprintf(format, v...))) }
func (silence) Panic(v ...any)                 { panic(corrupt(fmt.Sprint(v...))) }
func (silence) Panicf(format string, v ...any) { panic(corrupt(fmt.Sprintf(format, v...))) }
