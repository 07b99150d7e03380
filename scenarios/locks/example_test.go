package locks_test

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/proto"

	"github.com/lockstorm/lockstorm/scenarios/locks"
)

// A process is a Client outside of any simulation: a real clock, and real servers behind sockets.
type process struct {
	began   time.Time
	servers []*proto.Client
}

func (p *process) Wall() time.Duration   { return time.Duration(time.Now().UnixNano()) }
func (p *process) Mono() time.Duration   { return time.Since(p.began) }
func (p *process) Awake() time.Duration  { return time.Since(p.began) }
func (p *process) Sleep(d time.Duration) { time.Sleep(d) }
func (p *process) Draw(n uint64) uint64  { return rand.Uint64N(n) }
func (p *process) Token() string         { return fmt.Sprintf("%016x%016x", rand.Uint64(), rand.Uint64()) }
func (p *process) Mark(string)           {}
func (p *process) Together(n int, do func(int)) {
	for i := range n {
		do(i)
	}
}

// Call sends a command. This one waits as long as it takes; in production, set a deadline on the connection.
func (p *process) Call(server int, command any, _ time.Duration) (any, error) {
	text, err := p.servers[server].Do(command.([]string)...)
	if err != nil || text == "$-1\r\n" { // Redis's nil
		return nil, err
	}
	reply, err := proto.Parse(text)
	if n, is := reply.(int); is {
		return int64(n), err
	}
	return reply, err
}

// The protocols know nothing of the simulator: the same Redlock runs on servers that listen on real ports.
func Example() {
	p := &process{began: time.Now()}
	rules := locks.Config{Rules: locks.Reference(), Key: "invoice-7"}
	for i := range 3 {
		node := miniredis.NewMiniRedis()
		if err := node.Start(); err != nil {
			fmt.Println(err)
			return
		}
		defer node.Close()
		connection, err := proto.Dial(node.Addr())
		if err != nil {
			fmt.Println(err)
			return
		}
		defer connection.Close()
		p.servers, rules.Servers = append(p.servers, connection), append(rules.Servers, i)
	}

	mine, other := locks.NewRedlock(rules), locks.NewRedlock(rules)
	g := mine.Acquire(p)
	fmt.Println("mine:", g.Won(), g.Votes, "votes")
	fmt.Println("other:", other.Acquire(p).Won())
	fmt.Println("released:", mine.Release(p, g))
	fmt.Println("other:", other.Acquire(p).Won())
	// Output:
	// mine: true 3 votes
	// other: false
	// released: true
	// other: true
}
