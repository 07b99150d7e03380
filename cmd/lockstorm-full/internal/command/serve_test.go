package command

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
)

// A server is lockstorm serve in a separate process.
type server struct {
	*exec.Cmd
	url  string
	out  *bufio.Reader
	errs bytes.Buffer
}

// loopback returns an address that only this machine can reach: with IPv4, unless it has IPv6 only.
func loopback() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "[::1]:0"
	}
	_ = l.Close()
	return "127.0.0.1:0"
}

// served starts it, and waits for the line that says where it is.
func served(t *testing.T, args ...string) *server {
	t.Helper()
	s := &server{Cmd: exec.Command(os.Args[0], append([]string{"serve", "--addr", loopback()}, args...)...)}
	s.Env = append(os.Environ(), asCommand+"=1")
	s.Stderr = &s.errs
	out, err := s.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Process.Kill() })
	s.out = bufio.NewReader(out)
	line, err := s.out.ReadString('\n')
	if s.url = strings.TrimSpace(line); err != nil || !strings.HasPrefix(s.url, "http://") {
		t.Fatalf("it says %q: %v", line, err)
	}
	return s
}

// end sends a signal, and wants the process to end well, and to have said nothing more.
func (s *server) end(t *testing.T, by os.Signal) {
	t.Helper()
	if err := s.Process.Signal(by); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(s.out)
	if err := s.Wait(); err != nil || len(rest) > 0 {
		t.Errorf("after %s: %v, %q\n%s", by, err, rest, s.errs.String())
	}
}

func TestStoreIsServedUntilASignal(t *testing.T) {
	dir := t.TempDir()
	mustRun(t, 0, "run", "kleppmann/gc-pause", "--store", dir, "--quiet")
	for _, by := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		s := served(t, dir)
		answer, err := http.Get(s.url + "kleppmann/gc-pause/1/report.html")
		if err != nil {
			t.Fatal(err)
		}
		page, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err != nil || answer.StatusCode != http.StatusOK || !bytes.Contains(page, []byte("kleppmann/gc-pause, seed 1")) {
			t.Errorf("%s: %v\n%s", answer.Status, err, page)
		}
		s.end(t, by)
		if strings.Contains(s.errs.String(), "other machines") {
			t.Errorf("it warns: %s", s.errs.String())
		}
	}
}

// A visitor who asks for a large file, and then reads nothing of it, would keep the server waiting without end.
func TestSlowVisitorDoesNotKeepTheServerUp(t *testing.T) {
	dir := t.TempDir()
	large := filepath.Join(dir, "result.json")
	write(t, large, "{")
	if err := os.Truncate(large, 1<<30); err != nil { // it takes no room on the disk
		t.Fatal(err)
	}
	s := served(t, dir)
	c, err := net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(s.url, "http://"), "/"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Write([]byte("GET /result.json HTTP/1.1\r\nHost: localhost\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(c).ReadString('\n'); err != nil || !strings.Contains(line, "200 OK") {
		t.Fatalf("%q, %v", line, err)
	}
	s.end(t, os.Interrupt) // the limit of go test ends a server that waits for ever
}

func TestPublicAddressGetsAWarning(t *testing.T) {
	s := served(t, t.TempDir(), "--addr", "0.0.0.0:0")
	if !strings.HasPrefix(s.url, "http://localhost:") {
		t.Errorf("it says %s", s.url)
	}
	s.end(t, os.Interrupt)
	if !strings.Contains(s.errs.String(), "can be reached from other machines") {
		t.Errorf("it does not warn: %s", s.errs.String())
	}
}

func TestUnservableStoreIsRejected(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, filepath.Join(dir, "file"), "x")
	taken, err := net.Listen("tcp", loopback())
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, c := range []struct{ args, want string }{
		{"", "there is no store store; lockstorm run creates one, or name another directory"},
		{"nowhere", "there is no store nowhere"},
		{"file", "file is not a directory"},
		{"a b", "takes at most one STORE, not 2"},
		{". --addr " + taken.Addr().String(), "is in use already; choose another port"},
		{". --addr 8080", `"8080" is not HOST:PORT; give one such as 127.0.0.1:8080`},
		{". --addr 127.0.0.1:99999", "--addr: can't listen on 127.0.0.1:99999"},
		{". --addr 127.0.0.1:x", "--addr: can't listen on 127.0.0.1:x"},
	} {
		out, errs, code := lockstorm(append([]string{"serve"}, strings.Fields(c.args)...)...)
		if code != cli.BadInput || out != "" || !strings.Contains(errs, c.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("serve %s: exit %d, %q, want %q\n%s", c.args, code, errs, c.want, out)
		}
	}
}
