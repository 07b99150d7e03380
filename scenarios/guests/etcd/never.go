package etcd

import (
	_ "unsafe" // for go:linkname

	_ "go.etcd.io/etcd/client/v3" // whose variable it is
)

// never is a channel that is never closed: the Done of the context of every stream of watches of etcd's client. The
// client makes one for the whole process, outside of any bubble. A goroutine that waits for it is not durably
// blocked, so no time would pass. Nil says the same: a context whose Done is nil is never cancelled.
//
//go:linkname never go.etcd.io/etcd/client/v3.valCtxCh
var never chan struct{}

func init() { never = nil }
