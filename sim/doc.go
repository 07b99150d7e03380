// Package sim is a small world in which distributed programs run, and in which time and networks go wrong on purpose.
//
// # The law
//
// A run is a pure function of the configuration and the seed. Nothing here reads the wall clock, the global random
// source or the environment, and nothing starts a goroutine: procs are coroutines, and one of them runs at a time.
// Events happen in the order of (instant, sequence), never of the instant alone.
//
// # The words
//
// A [World] is one run, and [World.Run] is its loop. It has hosts, and a queue of events that happen to them. Each
// [Host] has its own clock. A client host runs procs: a [Proc] is one thread of control, written as straight-line
// blocking code. A server host runs a [Service]: a request in, a reply out. Hosts speak through [Proc.Call] over a
// network with a link for each ordered pair of hosts. A fault can cut a link, make it lossy or slow, or hold a single
// message on it. A [Chance] is a source of randomness. A Mark is a named point that a proc passes, where a fault may
// hit.
//
// # Why a step costs time
//
// Each step of a proc costs a little true time, random within [Config.Step]. So there is always a moment between
// reading a clock and using the reading, and a pause can fall into it. With steps of zero cost, the error that this
// project shows could not happen.
//
// If the next step of a proc ends before anything else is due, the proc simply continues: no event, no switch. That
// makes steps cheap to simulate. Everything happens in the same order as in a queue with an event for every step.
//
// # What a pause, a crash and a cut mean
//
// A paused host does nothing, while its clocks run on. Messages that reach it wait in its kernel's buffer. When it
// continues, it first finds those messages, in order, and then the timers that have passed: a poll that returns finds
// data before it finds its deadline. A timer with its own thread may run first. So with [Config.EitherFirst] each proc
// that wakes to both draws which it finds first, and [Config.Choose] can choose. There is no draw elsewhere.
//
// A suspended host is paused too, but its machine was suspended to RAM: its third clock, the awake clock, stops
// meanwhile. On Linux that is CLOCK_MONOTONIC; Mono here is CLOCK_BOOTTIME.
//
// A crashed host is off. Its procs are gone, with everything they would have done later, such as a deferred unlock. It
// refuses requests that reach it, so their callers know that they had no effect. After a restart it serves again; it
// refuses requests sent before it went down, because their connections are gone. What waited in its buffers when it
// went down is lost without a word.
//
// A message is lost if its link is cut when it is sent or when it would arrive. In the buffer of a paused host it has
// arrived. The caller's timeout, which runs on the caller's monotonic clock, reveals a loss. A later reply is dropped;
// the effect of the request stays.
//
// # How that maps to TCP
//
// TCP loses no message except with its connection, and never reorders the messages of a connection. The connection of a
// [Proc] to a server is the same: messages on it arrive in order, behind any that a hold delays. A lost message means
// that retransmissions are lost for as long as the caller waits. When its call has timed out, the caller closes the
// connection, and its next call opens another. The two are independent: a message on the old one may arrive after those
// on the new one. There is no other way for messages of one caller to pass each other. A caller sends one request at a
// time on a connection, so nothing else can arrive behind a lost one. Posts between servers ([Host.Post]) do continue
// after a loss, as on a connection that is immediately made again. A service that needs all of them notices the gap,
// like package redis.
//
// # What servers start themselves
//
// A service may answer later ([Later], [Host.Answer]), send messages without a reply to other servers ([Host.Post]),
// and wait for times on its host's monotonic clock ([Host.After]) or wall clock ([Host.AfterWall]). A crash ends all
// three. They keep no run going: it ends when its clients have ended and no message of theirs is on its way.
//
// # Disks
//
// A disk syncs immediately, until it stalls ([Host.StallDisk]). A service that needs a sync says so ([Host.Sync]):
// while the disk stalls, the host then stops like a paused one, and the service's messages leave when the disk
// continues.
//
// # Guests
//
// Programs that are not procs may connect to the world's servers ([Config.Outside], [Host.Dial]). The world asks them
// before each event, so that both share one time; then each step of a proc is an event. With guests a run is as
// deterministic as they are.
//
// A [Stream] loses no single message: after a lost message nothing arrives, as on a connection of TCP whose
// retransmissions are lost too. A server that goes off breaks the streams it has accepted, and their clients learn it
// after the latency. A server that is on again answers messages on an old stream with a reset. Messages of a paused
// host wait in it. Its kernel accepts connections meanwhile, but not on a suspended host.
//
// # Rules for callers
//
// Hosts are added before Run, and a world runs once; [World.Reset] makes it new. Only the code that runs in a Proc may
// use it. That code must not swallow a panic that it does not know: the world ends a proc with one. Requests and
// replies must not change once sent. The world panics if a caller breaks these rules.
package sim
