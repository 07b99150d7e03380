package sql

import (
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/sim/storage"
)

// ratio reports what a round of requests costs here, against what another costs package storage, measured in turns so
// that a machine that slows down slows both.
func ratio(b *testing.B, here, there []any) {
	s := newServer(b, Config{})
	var plain storage.Store
	plain.Attach(s.host.World(), storage.Config{})
	var took [2]time.Duration
	const turn = 100
	b.ReportAllocs()
	b.ResetTimer()
	for done := 0; done < b.N; done += turn {
		start := time.Now()
		for range turn {
			for _, r := range here {
				s.Serve(r)
			}
			s.updates, s.spans = s.updates[:0], s.spans[:0]
			clear(s.over)
		}
		middle := time.Now()
		for range turn {
			for _, r := range there {
				plain.Serve(r)
			}
		}
		plain.Attach(s.host.World(), storage.Config{})
		took[0], took[1] = took[0]+middle.Sub(start), took[1]+time.Since(middle)
	}
	b.ReportMetric(float64(took[0])/float64(took[1]), "ratio")
	b.ReportMetric(float64(took[0].Nanoseconds())/float64((b.N+turn-1)/turn*turn), "ns/round")
}

var (
	read1  = any(storage.Read{})
	write1 = any(&storage.Write{})
)

func BenchmarkRead(b *testing.B)  { ratio(b, []any{read1}, []any{read1}) }
func BenchmarkWrite(b *testing.B) { ratio(b, []any{write1}, []any{write1}) }

// A whole update in a session, against a read and a write without one.
func BenchmarkRowLock(b *testing.B) {
	update := []any{[]string{"BEGIN IMMEDIATE", "s"}, In{"s", read1}, In{"s", write1}, []string{"COMMIT", "s"}}
	ratio(b, update, []any{read1, write1})
}

// Another client has the lock.
func BenchmarkLocked(b *testing.B) {
	s := newServer(b, Config{})
	s.Serve([]string{"BEGIN IMMEDIATE", "a"})
	second := any([]string{"BEGIN IMMEDIATE", "b"})
	b.ReportAllocs()
	for b.Loop() {
		s.Serve(second)
	}
}

// A new run on a used server.
func BenchmarkAttach(b *testing.B) {
	s := newServer(b, Config{})
	b.ReportAllocs()
	for b.Loop() {
		s.Attach(s.host, s.config)
	}
}

// A new server.
func BenchmarkNew(b *testing.B) {
	host := newServer(b, Config{}).host
	b.ReportAllocs()
	for b.Loop() {
		s := &Server{}
		s.Attach(host, Config{})
	}
}
