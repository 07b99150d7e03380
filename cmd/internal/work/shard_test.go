package work

import (
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

func TestShardIsReadFromTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		env   string
		of    int
		shard archive.Shard
		want  string
	}{
		{"", 0, archive.Shard{}, ""},
		{"SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=8 SLURM_ARRAY_TASK_MIN=0", 0, archive.Shard{Index: 3, Of: 8}, ""},
		{"SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=8", 0, archive.Shard{Index: 3, Of: 8}, ""},
		{"SLURM_ARRAY_TASK_ID=8 SLURM_ARRAY_TASK_COUNT=8 SLURM_ARRAY_TASK_MIN=1", 0, archive.Shard{Index: 7, Of: 8}, ""},
		{"SLURM_ARRAY_TASK_ID=14 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=10 SLURM_ARRAY_TASK_STEP=2", 0, archive.Shard{Index: 2, Of: 3}, ""},
		{"SLURM_ARRAY_TASK_ID=9 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=1", 0, archive.Shard{}, "submit with --array=0-2"},
		{"SLURM_ARRAY_TASK_ID=x SLURM_ARRAY_TASK_COUNT=3", 0, archive.Shard{}, `SLURM_ARRAY_TASK_ID: "x" is not a whole number`},
		{"SLURM_ARRAY_TASK_ID=1", 0, archive.Shard{}, "SLURM_ARRAY_TASK_COUNT"},
		{"JOB_COMPLETION_INDEX=2 JOB_COMPLETIONS=4", 0, archive.Shard{Index: 2, Of: 4}, ""},
		{"JOB_COMPLETION_INDEX=2 JOB_COMPLETIONS=4", 5, archive.Shard{Index: 2, Of: 5}, ""},
		{"JOB_COMPLETION_INDEX=2", 0, archive.Shard{}, "of how many? Say --shard-of N"},
		{"JOB_COMPLETION_INDEX=4 JOB_COMPLETIONS=4", 0, archive.Shard{}, "give 0/4 to 3/4"},
		{"", -1, archive.Shard{}, "-1 is not a number of shards"},
	} {
		getenv := func(name string) string {
			for _, word := range strings.Fields(c.env) {
				if value, ok := strings.CutPrefix(word, name+"="); ok {
					return value
				}
			}
			return ""
		}
		got, _, err := shardFlags{of: c.of}.choose(getenv)
		if c.want == "" && (err != nil || got != c.shard) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, %v; want %v%s", c.env, got, err, c.shard, c.want)
		}
	}
}
