package campaign

import "slices"

// All makes all rows of a job and keeps them, in order. It tells told, when set, of each block. The job must have passed
// Check.
func (j *Job) All(workers int, told func(rows []Row)) []Row {
	all := make([]Row, 0, j.Rows())
	crew := Crew{Job: j, Blocks: j.Order(0, j.Pieces()), Workers: workers, Done: func(_ int, rows []Row) (bool, error) {
		for _, r := range rows {
			r.Figures = slices.Clone(r.Figures)
			all = append(all, r)
		}
		if told != nil {
			told(rows)
		}
		return true, nil
	}}
	if err := crew.Work(); err != nil {
		panic("campaign: " + err.Error()) // Done gives none
	}
	return all
}
