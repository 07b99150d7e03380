package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/reports/site/serve"
)

func newServe() *cobra.Command {
	var addr string
	c := &cobra.Command{
		Use:   "serve [STORE]",
		Short: "Browse stored runs",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("%s takes at most one STORE, not %d; to browse several, name the directory that "+
					"they are in",
					c.CommandPath(), len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			dir := "store"
			if len(args) == 1 {
				dir = args[0]
			}
			return browse(c, dir, addr)
		},
	}
	c.Flags().StringVar(&addr, "addr", "127.0.0.1:0", "listen on `HOST:PORT`; port 0: any free port")
	return c
}

// browse serves a store until a signal comes.
func browse(c *cobra.Command, dir, addr string) error {
	s, err := serve.Open(dir)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	on, err := listen(addr)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(c.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	loopback := on.Addr().(*net.TCPAddr).IP.IsLoopback()
	if !loopback {
		fmt.Fprintf(c.ErrOrStderr(), cli.Name+": %s can be reached from other machines, which can then read %s; the "+
			"default, 127.0.0.1:0, can't\n", on.Addr(), dir)
	}
	if err := cli.Print(c.OutOrStdout(), "http://"+reachable(on.Addr().(*net.TCPAddr))+"/\n"); err != nil {
		_ = on.Close()
		return err
	}
	fmt.Fprintln(c.ErrOrStderr(), cli.Name+": Ctrl-C ends it")
	return serveUntil(ctx, stop, on, s.Handler(loopback), c.ErrOrStderr())
}

func listen(addr string) (net.Listener, error) {
	if _, _, err := net.SplitHostPort(addr); err != nil {
		return nil, fmt.Errorf("--addr: %q is not HOST:PORT; give one such as 127.0.0.1:8080", addr)
	}
	on, err := net.Listen("tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("--addr: %s is in use already; choose another port, or 0 for any that is free", addr)
	case err != nil:
		if op, is := errors.AsType[*net.OpError](err); is {
			err = op.Err
		}
		return nil, fmt.Errorf("--addr: can't listen on %s: %w", addr, err)
	}
	return on, nil
}

// reachable returns an address that a browser on this machine can use: 0.0.0.0 is none.
func reachable(a *net.TCPAddr) string {
	if a.IP.IsUnspecified() {
		return fmt.Sprintf("localhost:%d", a.Port)
	}
	return a.String()
}

// serveUntil answers requests until ctx is done. Then open requests have some seconds; a second signal ends the
// process.
func serveUntil(ctx context.Context, stop func(), on net.Listener, h http.Handler, errs io.Writer) error {
	server := http.Server{
		Handler: h, ErrorLog: log.New(errs, cli.Name+": ", 0), MaxHeaderBytes: 64 << 10,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 2 * time.Minute,
		IdleTimeout: time.Minute,
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(on) }()
	select {
	case err := <-ended:
		return cli.Own(fmt.Errorf("the server ended by itself: %w", err))
	case <-ctx.Done():
		stop()
	}
	patience, done := context.WithTimeout(context.Background(), 2*time.Second)
	defer done()
	if server.Shutdown(patience) != nil {
		_ = server.Close() // what is still being read is cut off
	}
	return nil
}
