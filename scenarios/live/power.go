package live

import (
	"os"
	"path/filepath"
)

// losePower takes from the log of a server that was killed what had not reached its disk: the kernel would have written it, and a
// machine without power does not. It does nothing for a server whose writes are not watched.
func (s *server) losePower() error {
	if s.wall == nil || s.wall.StepsOnly() {
		return nil
	}
	size, inode, err := s.wall.Synced()
	if err != nil {
		return err
	}
	logs, err := filepath.Glob(filepath.Join(s.directory, "appendonlydir", "*.incr.aof"))
	if err != nil {
		return err
	}
	for _, name := range logs {
		about, err := os.Stat(name)
		if err != nil {
			return err
		}
		kept := int64(0)
		if inodeOf(about) == inode {
			kept = min(size, about.Size())
		}
		if err := os.Truncate(name, kept); err != nil {
			return err
		}
	}
	return nil
}

// close closes what the driver shares with the server.
func (s *server) close() {
	if s.wall != nil {
		_ = s.wall.Close()
	}
}
