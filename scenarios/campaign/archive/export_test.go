package archive

import "github.com/lockstorm/lockstorm/scenarios/campaign"

// Create begins an archive in a directory that has none.
func Create(dir string, j *campaign.Job, version string, d Disk) (*Archive, error) {
	a := open(dir, describe(j, version), j, d)
	return a, a.create()
}
