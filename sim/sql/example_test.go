package sql_test

import (
	"fmt"
	"time"

	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/sql"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// Client 1 is so slow between its read and its write that the server ends its session, and grants the lock to client 2.
func Example() {
	w := sim.New(sim.Config{})
	defer w.Close()
	s := &sql.Server{}
	host := w.AddHost("db", s, 0, 0)
	s.Attach(host, sql.Config{Idle: 5 * time.Second})
	for i, work := range []time.Duration{10 * time.Second, time.Second} {
		w.AddHost(fmt.Sprint("c", i+1), nil, 0, 0).Go("main", func(p *sim.Proc) {
			session := p.Token()
			ask := func(request any) any {
				reply, _ := p.Call(host.ID, request, time.Second)
				return reply
			}
			p.Sleep(time.Duration(i) * 6 * time.Second)
			fmt.Println(p.Host().Name, ask([]string{"BEGIN IMMEDIATE", session}))
			base := ask(sql.In{Session: session, Request: storage.Read{}}).(storage.State)
			p.Sleep(work)
			fmt.Println(p.Host().Name, ask(sql.In{Session: session, Request: &storage.Write{Client: i + 1, Base: base}}))
			fmt.Println(p.Host().Name, ask([]string{"COMMIT", session}))
		})
	}
	w.Run()
	fmt.Println(len(s.Updates()), "update")
	// Output:
	// c1 BEGIN
	// c2 BEGIN
	// c2 {1 1 false}
	// c2 COMMIT
	// c1 no_active_sql_transaction: the session has ended or never began; nothing was done
	// c1 no_active_sql_transaction: the session has ended or never began; nothing was done
	// 1 update
}
