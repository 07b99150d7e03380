package reports

import "github.com/lockstorm/lockstorm/reports/internal/serve"

// A Store is a directory in which runs and campaigns are kept, opened for a browser: its Handler answers requests about it.
type Store = serve.Store

// OpenStore opens a directory as a Store.
func OpenStore(dir string) (*Store, error) { return serve.Open(dir) }
