package campaign

import "slices"

// All makes all rows of a job and returns them in order. It calls done, if set, for each block. The job must have passed
// Check.
func (j *Job) All(workers int, done func(rows []Row)) []Row {
	all := make([]Row, 0, j.Rows())
	crew := Crew{Job: j, Blocks: j.Order(0, j.Pieces()), Workers: workers, Done: func(_ int, rows []Row) (bool, error) {
		for _, r := range rows {
			r.Figures = slices.Clone(r.Figures)
			all = append(all, r)
		}
		if done != nil {
			done(rows)
		}
		return true, nil
	}}
	if err := crew.Work(); err != nil {
		panic("campaign: " + err.Error()) // Done returns none
	}
	return all
}
