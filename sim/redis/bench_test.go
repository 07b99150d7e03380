package redis

import (
	"testing"
	"time"
)

// ratio reports what a round of commands costs on a node, against what the same commands cost miniredis alone, measured
// in turns so that a machine that slows down slows both. The text of a script counts as the commands it runs.
func ratio(b *testing.B, node, bare [][]string) {
	r := rigged(b, Config{Watch: "k"}, Config{})
	defer r.close()
	n, play := r.nodes[0], r.nodes[1].Bare()
	requests := make([]any, len(node))
	for i := range node {
		requests[i] = node[i]
	}
	var took [2]time.Duration
	const turn = 100
	b.ReportAllocs()
	b.ResetTimer()
	for done := 0; done < b.N; done += turn {
		start := time.Now()
		for range turn {
			for _, q := range requests {
				n.Serve(q)
			}
			n.spans = n.spans[:0]
		}
		middle := time.Now()
		for range turn {
			for _, q := range bare {
				play(q)
			}
		}
		took[0], took[1] = took[0]+middle.Sub(start), took[1]+time.Since(middle)
	}
	b.ReportMetric(float64(took[0])/float64(took[1]), "ratio")
}

func BenchmarkSetNX(b *testing.B) {
	round := [][]string{words("SET k token NX PX 10000"), words("SET k other NX PX 10000"), words("DEL k")}
	ratio(b, round, round)
}

func BenchmarkRelease(b *testing.B) {
	set := words("SET k token NX PX 10000")
	release := []string{"EVAL", Scripts[0].Text, "1", "k", "token"}
	ratio(b, [][]string{set, release, release}, [][]string{set, words("GET k"), words("DEL k"), words("GET k")})
}

// A new run on a used node.
func BenchmarkAttach(b *testing.B) {
	r := rigged(b, Config{Watch: "k"})
	defer r.close()
	n, h := r.nodes[0], r.world.Hosts()[0]
	set := any(words("SET k token NX PX 10000"))
	b.ReportAllocs()
	for b.Loop() {
		n.Attach(h, n.config)
		n.Serve(set)
	}
}

// BenchmarkInterpretedRelease compares an interpreted release with the same script run natively.
func BenchmarkInterpretedRelease(b *testing.B) {
	r := rigged(b, Config{Watch: "k"}, Config{Watch: "k"})
	defer r.close()
	set := []string{"SET", "k", "token", "NX", "PX", "10000"}
	other := []string{"EVAL", "local owner = redis.call('GET', KEYS[1]) if owner ~= ARGV[1] then return 0 end return redis.call('DEL', KEYS[1])", "1", "k", "token"}
	known := []string{"EVAL", Scripts[0].Text, "1", "k", "token"}
	var took [2]time.Duration
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		for i, release := range [][]string{other, known} {
			n := r.nodes[i]
			n.Serve(set)
			start := time.Now()
			n.Serve(release)
			took[i] += time.Since(start)
			n.spans = n.spans[:0]
		}
	}
	b.ReportMetric(float64(took[0])/float64(took[1]), "ratio")
	b.ReportMetric(float64(took[0])/float64(b.N), "ns/interpreted")
	b.ReportMetric(float64(took[1])/float64(b.N), "ns/native")
}
