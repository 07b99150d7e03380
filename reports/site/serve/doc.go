// Package serve shows a store to a browser: its runs and campaigns, listed, one by one, and two runs side by side.
//
// Its law: it reads, and it reads nothing outside of the store. Two things see to that, not checks here and there.
// Every file is opened through an os.Root, which leads nowhere else, whatever a name or a symbolic link says. And only
// files by the names that Lockstorm writes are served, so that serving a home directory by mistake reveals no keys.
//
// What it finds there was written by anybody. So a file is never opened but as a regular one, never read beyond a bound,
// and what is in it comes through the pages of package browse as harmless text. A stored page runs no script but the one
// that this Lockstorm writes, and even that in a sandbox, where it can ask nothing of the server.
//
// [Open] returns a [Store]; its Handler answers requests about it. To listen, and to stop, is the caller's.
package serve
