package checker

import (
	"bytes"
	"runtime"
	"testing"

	"github.com/lockstorm/lockstorm/clock"
)

// relay gives a history of so many ops: eight clients that take a lock in turn.
func relay(ops int) History {
	h := make(History, 0, ops)
	for i := 0; len(h) < ops; i++ {
		for _, o := range [...]Op{
			{Type: Invoke, F: Acquire}, {Type: OK, F: Acquire, Value: Value{Fence: uint64(i + 1)}},
			{Type: Invoke, F: Release}, {Type: OK, F: Release},
		} {
			o.Index, o.Process, o.Time = len(h), i%8, clock.Instant(1_000_000_000+12_345*len(h))
			h = append(h, o)
		}
	}
	return h[:ops]
}

// BenchmarkReading reads a million ops, and says how many a second, how many bytes of text, and how many bytes are kept
// of each.
func BenchmarkReading(b *testing.B) {
	h := relay(1_000_000)
	for _, c := range []struct {
		name string
		text []byte
	}{{"EDN", AppendEDN(nil, h, nil)}, {"JSON", AppendJSON(nil, h)}} {
		b.Run(c.name, func(b *testing.B) {
			var before, after runtime.MemStats
			var r *Recording
			runtime.GC()
			runtime.ReadMemStats(&before)
			b.ReportAllocs()
			b.SetBytes(int64(len(c.text)))
			for b.Loop() {
				var err error
				if r, err = (Reading{}).Read(bytes.NewReader(c.text)); err != nil || len(r.History) != len(h) {
					b.Fatalf("%v", err)
				}
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(len(h))*float64(b.N)/b.Elapsed().Seconds(), "ops/s")
			b.ReportMetric(float64(int64(after.HeapAlloc)-int64(before.HeapAlloc))/float64(len(h)), "kept-B/op")
			runtime.KeepAlive(r)
		})
	}
}
