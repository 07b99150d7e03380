package live

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/lockstorm/lockstorm/sim/consensus"
)

// post asks a server over HTTP, in JSON both ways.
func post(ctx context.Context, url string, question, answer any) error {
	lines, err := open(ctx, url, question)
	if err != nil {
		return err
	}
	defer lines.Close()
	return json.NewDecoder(lines).Decode(answer)
}

// gateway keeps the connections to servers.
var gateway = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}

// open asks a server, and returns what it answers, which may go on for long. That a session has ended is an error of package
// consensus.
func open(ctx context.Context, url string, question any) (io.ReadCloser, error) {
	body, err := json.Marshal(question)
	if err != nil {
		return nil, err
	}
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r, err := gateway.Do(q)
	if err != nil {
		return nil, err
	}
	if r.StatusCode == http.StatusOK {
		return r.Body, nil
	}
	defer r.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(r.Body, 1<<16))
	if strings.Contains(string(text), "requested lease not found") {
		return nil, consensus.ErrLease
	}
	return nil, fmt.Errorf("%s answers %s: %s", url, r.Status, text)
}

// freePorts returns ports that nobody listens on, as the kernel chooses them.
func freePorts(n int) (all []string, err error) {
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		_, port, err := net.SplitHostPort(l.Addr().String())
		if err != nil {
			return nil, err
		}
		all = append(all, port)
	}
	return all, nil
}
