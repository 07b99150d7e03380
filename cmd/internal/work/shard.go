package work

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

// shardFlags are the user's flags about shards.
type shardFlags struct {
	text string // i/n
	of   int
}

// choose returns the shard that --shard, Slurm or Kubernetes names, and which of them. The zero Shard is all of the
// work.
func (f shardFlags) choose(getenv func(string) string) (s archive.Shard, from string, err error) {
	switch {
	case f.of < 0:
		return s, "--shard-of", fmt.Errorf("--shard-of: %d is not a number of shards; want 1 or more", f.of)
	case f.text != "":
		s, err = ReadShard(f.text)
		if err == nil && f.of > 0 && f.of != s.Of {
			err = fmt.Errorf("--shard %s and --shard-of %d do not agree; --shard alone will do", f.text, f.of)
		}
		return s, "--shard", err
	case getenv("SLURM_ARRAY_TASK_ID") != "":
		s, err = slurmShard(getenv)
		return s, "SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT", err
	case getenv("JOB_COMPLETION_INDEX") != "":
		return f.jobShard(getenv)
	case f.of > 1:
		return s, "--shard-of", fmt.Errorf("--shard-of %d: JOB_COMPLETION_INDEX is not set; give --shard I/%d, with I "+
			"from 0 to %d",
			f.of, f.of, f.of-1)
	}
	return s, "", nil
}

// ReadShard reads the I/N of --shard.
func ReadShard(text string) (s archive.Shard, err error) {
	i, n, ok := strings.Cut(text, "/")
	index, bad := strconv.Atoi(i)
	of, worse := strconv.Atoi(n)
	if !ok || bad != nil || worse != nil {
		return s, fmt.Errorf("--shard: %q is not a shard; want I/N, such as 0/8", text)
	}
	return inRange("--shard "+text, index, of)
}

func inRange(what string, index, shards int) (s archive.Shard, err error) {
	switch {
	case shards < 1:
		return s, fmt.Errorf("%s: there can't be %d shards; want 1 or more", what, shards)
	case index < 0 || index >= shards:
		return s, fmt.Errorf("%s: there is no shard %d of %d; give 0/%d to %d/%d", what, index, shards,
			shards, shards-1,
			shards)
	}
	return archive.Shard{Index: index, Of: shards}, nil
}

// slurmShard reads the variables that Slurm sets for the tasks of an array. Their numbers may begin anywhere, and have
// steps.
func slurmShard(getenv func(string) string) (s archive.Shard, err error) {
	id, err := number(getenv, "SLURM_ARRAY_TASK_ID", "")
	least, bad := number(getenv, "SLURM_ARRAY_TASK_MIN", "0")
	step, worse := number(getenv, "SLURM_ARRAY_TASK_STEP", "1")
	count, worst := number(getenv, "SLURM_ARRAY_TASK_COUNT", "")
	if err := cmp.Or(err, bad, worse, worst); err != nil {
		return s, err
	}
	if step < 1 || (id-least)%step != 0 || (id-least)/step >= count || id < least {
		return s, fmt.Errorf("SLURM_ARRAY_TASK_ID is %d, but the array has %d tasks from %d on in steps of %d, which "+
			"may come unevenly: submit with --array=0-%d, or say --shard I/N", id, count, least, step, max(count-1,
			0))
	}
	return inRange("SLURM_ARRAY_TASK_ID", (id-least)/step, count)
}

// jobShard reads the variables that Kubernetes sets for the pods of an Indexed Job. The user must say how many there
// are.
func (f shardFlags) jobShard(getenv func(string) string) (s archive.Shard, from string, err error) {
	from = "JOB_COMPLETION_INDEX and JOB_COMPLETIONS"
	index, err := number(getenv, "JOB_COMPLETION_INDEX", "")
	if err != nil {
		return s, from, err
	}
	of := f.of
	if of > 0 {
		from = "JOB_COMPLETION_INDEX and --shard-of"
	} else if of, err = number(getenv, "JOB_COMPLETIONS", ""); err != nil {
		return s, from, fmt.Errorf("JOB_COMPLETION_INDEX is %d, but of how many? Say --shard-of N, or set "+
			"JOB_COMPLETIONS to it", index)
	}
	s, err = inRange("JOB_COMPLETION_INDEX", index, of)
	return s, from, err
}

func number(getenv func(string) string, name, otherwise string) (int, error) {
	text := cmp.Or(getenv(name), otherwise)
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, fmt.Errorf("%s: %q is not a whole number; to say which part this is, use --shard I/N", name, text)
	}
	return n, nil
}
