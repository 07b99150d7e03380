package codec_test

import (
	"bytes"
	"runtime"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/codec"
	"github.com/lockstorm/lockstorm/clock"
)

// relay returns a history of ops ops: eight clients that acquire a lock in turn.
func relay(ops int) checker.History {
	h := make(checker.History, 0, ops)
	for i := 0; len(h) < ops; i++ {
		for _, o := range [...]checker.Op{
			{Type: checker.Invoke, F: checker.Acquire}, {Type: checker.OK, F: checker.Acquire, Value: checker.Value{Fence: uint64(i + 1)}},
			{Type: checker.Invoke, F: checker.Release}, {Type: checker.OK, F: checker.Release},
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
	}{{"EDN", codec.AppendEDN(nil, h, nil)}, {"JSON", codec.AppendJSON(nil, h)}} {
		b.Run(c.name, func(b *testing.B) {
			var before, after runtime.MemStats
			var r *codec.Recording
			runtime.GC()
			runtime.ReadMemStats(&before)
			b.ReportAllocs()
			b.SetBytes(int64(len(c.text)))
			for b.Loop() {
				var err error
				if r, err = (codec.Reading{}).Read(bytes.NewReader(c.text)); err != nil || len(r.History) != len(h) {
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
