package consul_test

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/consul/api"
)

// The answers are Consul's, until the lock is lost. Then a renewal finds no session, and the holder's blocking query is
// not answered, because that answer is lost on the way.
type answers struct {
	acquired, lost bool
	end            chan struct{}
}

func (c *answers) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Consul-Index", "2")
	w.Header().Set("X-Consul-LastContact", "0")
	switch path := r.URL.Path; {
	case strings.HasSuffix(path, "/create"):
		fmt.Fprint(w, `{"ID": "s"}`)
	case strings.Contains(path, "/renew/") && c.lost:
		http.NotFound(w, r)
	case strings.Contains(path, "/renew/"):
		fmt.Fprint(w, `[{"ID": "s", "TTL": "10s"}]`)
	case r.Method == http.MethodPut:
		c.acquired = true
		fmt.Fprint(w, "true")
	case !c.acquired:
		http.NotFound(w, r)
	case r.URL.Query().Get("index") != "":
		<-c.end
	default:
		fmt.Fprintf(w, `[{"Key": "k", "Session": "s", "Flags": %d, "ModifyIndex": 2}]`, uint64(api.LockFlagValue))
	}
}

// A listener hands out the server's ends of pipes.
type listener chan net.Conn

func (l listener) Accept() (net.Conn, error) {
	if c, ok := <-l; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}
func (l listener) Close() error   { return nil }
func (l listener) Addr() net.Addr { return &net.UnixAddr{} }

func (l listener) dial(string, string) (net.Conn, error) {
	client, server := net.Pipe()
	l <- server
	return client, nil
}

// The finding, without Lockstorm (consul#18271): a renewal is answered that the session is gone, and an hour later the
// channel that Lock returned is still open.
func TestTheHolderIsNotToldThatItsSessionIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, pipes := &answers{end: make(chan struct{})}, make(listener)
		serving := &http.Server{Handler: server}
		go serving.Serve(pipes)
		transport := &http.Transport{Dial: pipes.dial}
		client, err := api.NewClient(&api.Config{Address: "consul", HttpClient: &http.Client{Transport: transport}})
		if err != nil {
			t.Fatal(err)
		}
		lock, err := client.LockOpts(&api.LockOptions{Key: "k", SessionTTL: "10s"})
		if err != nil {
			t.Fatal(err)
		}
		lost, err := lock.Lock(nil)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		server.lost = true
		time.Sleep(time.Hour)
		select {
		case <-lost:
			t.Error("the holder knows that it has lost the lock; the finding is that it does not")
		default:
		}
		close(server.end)
		<-lost
		transport.CloseIdleConnections()
		close(pipes)
	})
}
