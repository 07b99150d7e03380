package worker

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// Command is the command by which the program makes rows for another of its processes. No help lists it.
const Command = "worker"

// A task is a block, or the rest of it. A worker process reads the job first, and then tasks. It answers
// the job with true, and each task with its rows, each as soon as it is made.
type task struct{ Block, From int }

// Serve makes rows for another process until that has no more tasks. The other process handles signals, and ends this
// one.
func Serve(in io.Reader, out io.Writer) error {
	signal.Ignore(os.Interrupt, syscall.SIGTERM)
	tasks, rows := json.NewDecoder(in), json.NewEncoder(out)
	var job campaign.Job
	err := tasks.Decode(&job)
	if err != nil {
		return fmt.Errorf("it is called by lockstorm alone: %w", err)
	}
	makeRows := job.RowMaker()
	for err = rows.Encode(true); err == nil; {
		var t task
		if err = tasks.Decode(&t); err == nil {
			makeRows(t.Block, t.From, func(r *campaign.Row) { err = rows.Encode(r) })
		}
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// A process makes rows in a separate process, which a client library may end. Such a run counts as unknown, and another
// process makes the rest.
type process struct {
	job  *campaign.Job
	note func(string)
	seed uint64 // of the row that is awaited

	command *exec.Cmd // nil while there is none
	input   io.Closer
	tasks   *json.Encoder
	rows    *json.Decoder
	stderr  *bytes.Buffer
}

// New returns a worker that makes the rows of a job in a process, and notes when a run ended it.
func New(job *campaign.Job, note func(string)) campaign.Worker[[]campaign.Row] {
	p := &process{job: job, note: note}
	return campaign.Worker[[]campaign.Row]{Make: p.make, At: p.at, Close: p.close}
}

// start starts the process. A failure is one of Lockstorm's own.
func (p *process) start() error {
	file, err := os.Executable()
	if err != nil {
		return err
	}
	c := exec.Command(file, Command)
	p.stderr = &bytes.Buffer{}
	c.Stderr = p.stderr
	in, err := c.StdinPipe()
	if err != nil {
		return err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	p.command, p.input, p.tasks, p.rows = c, in, json.NewEncoder(in), json.NewDecoder(out)
	var ready bool
	if err := p.tasks.Encode(p.job); err != nil {
		return err
	}
	if err := p.rows.Decode(&ready); err != nil {
		p.close()
		return fmt.Errorf("a worker process can't begin: %w\n%s", err, p.stderr)
	}
	return nil
}

func (p *process) at() (scenario string, seed uint64) { return p.job.Scenario.ID, p.seed }

// make makes the rows of a block.
func (p *process) make(block int) (rows []campaign.Row) {
	cell, first, n := p.job.Block(block)
	for len(rows) < n {
		if p.command == nil {
			if err := p.start(); err != nil {
				panic(err.Error())
			}
		}
		rows = p.fetch(task{block, len(rows)}, rows, n)
		if p.seed = first + uint64(len(rows)); len(rows) < n {
			p.close()
			p.note(fmt.Sprintf("the run of seed %d ended its process, and counts as unknown:\n%s", p.seed,
				head(p.stderr.String())))
			rows = append(rows, unknown(cell, p.seed, len(p.job.Scenario.Sometimes)))
		}
	}
	return rows
}

// fetch appends the rows of a task until there are n, or until the process has ended.
func (p *process) fetch(t task, rows []campaign.Row, n int) []campaign.Row {
	if p.tasks.Encode(t) != nil {
		return rows
	}
	for len(rows) < n {
		var r campaign.Row
		if p.rows.Decode(&r) != nil {
			return rows
		}
		rows = append(rows, r)
	}
	return rows
}

// close ends the process.
func (p *process) close() {
	if p.command != nil {
		_ = p.input.Close()
		_ = p.command.Wait() // how it ended is in what it wrote
	}
	p.command = nil
}

// unknown returns the row of a run about which nothing is known.
func unknown(cell int, seed uint64, sometimes int) campaign.Row {
	r := campaign.Row{Cell: cell, Seed: seed, Verdict: scenarios.Unknown, Unknown: campaign.All(),
		BoxUnknown: 1<<(len(scenarios.Judged())-len(checker.Properties)) - 1,
		Missing:    1<<sometimes - 1}
	for range campaign.Figures() {
		r.Figures = append(r.Figures, campaign.Absent)
	}
	return r
}

// headMost is how many lines of a process's last words are shown.
const headMost = 24

// head returns the first lines of a text.
func head(text string) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.TrimRight(strings.Join(lines[:min(len(lines), headMost)], ""), "\n")
}
