package command

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// An answering is a program that answers questions, a line each.
type answering struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers *bufio.Scanner
	stderr  strings.Builder
}

// answerMax is how long a program may take for an answer.
const answerMax = 10 * time.Second

func startAnswering(command string) (*answering, error) {
	words := strings.Fields(command)
	if len(words) == 0 {
		return nil, errors.New("--command: the program is missing; name one")
	}
	p := &answering{cmd: exec.Command(words[0], words[1:]...)}
	p.cmd.Stderr = &p.stderr
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.answers = bufio.NewScanner(out)
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("--command: %w", err)
	}
	return p, nil
}

// ask puts a question. A program that takes too long is killed, and so ends its output.
func (p *answering) ask(question string) (string, error) {
	late := time.AfterFunc(answerMax, func() { _ = p.cmd.Process.Kill() })
	_, err := io.WriteString(p.in, question+"\n")
	if err == nil && p.answers.Scan() {
		late.Stop()
		return p.answers.Text(), nil
	}
	if !late.Stop() {
		return "", fmt.Errorf("the program did not answer within %v", answerMax)
	}
	_ = p.in.Close()
	why := "the program ended"
	if err := p.cmd.Wait(); err != nil {
		why += " with " + err.Error()
	}
	if last := strings.TrimSpace(p.stderr.String()); last != "" {
		why += "; its last words: " + last[strings.LastIndexByte(last, '\n')+1:]
	}
	return "", fmt.Errorf("%s", why)
}

// end lets the program end by itself, as its questions do, or kills it after a second.
func (p *answering) end() {
	_ = p.in.Close()
	kill := time.AfterFunc(time.Second, func() { _ = p.cmd.Process.Kill() })
	_ = p.cmd.Wait()
	kill.Stop()
}
