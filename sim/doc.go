// Package sim is a small world in which distributed programs run, and in which everything that can go wrong with time
// and networks goes wrong on purpose.
//
// # The law
//
// A run is a pure function of the configuration and the seed. Nothing here reads the wall clock, the global random
// source or the environment, and nothing starts a goroutine: what looks concurrent is coroutines, of which one runs at
// a time. Events happen in the order of (instant, sequence), never of the instant alone.
//
// # The words
//
// A [World] is one run. It holds hosts, and a queue of events that happen to them. A [Host] has a clock of its own. A
// client host runs procs: a [Proc] is one thread of control, written as straight-line blocking code. A server host runs
// a [Service]: a request in, a reply out. Hosts speak through [Proc.Call] over a network with a link for each ordered
// pair of hosts; a link can be cut, made lossy or slow, and can have a single message held. [Chance] is where all
// randomness comes from. A Mark is a named point that a proc passes, at which a fault may strike.
//
// # Why a step costs time
//
// Each thing a proc does costs it a little true time, drawn from [Config.Step]. So there is always a moment between
// reading a clock and using what it said, and a pause can fall into it. With steps of zero cost, the error that this
// project was built to show cannot happen.
//
// A proc whose next step ends before anything else in the world is due simply goes on: no event, no switch. That is
// why the cost of a step can be modelled at all, and it changes nothing: the order of all that happens is the order
// that a queue with an event for every step would give.
//
// # What a pause, a crash and a cut mean
//
// A paused host does nothing, while its clocks run on. Messages that reach it wait in its kernel's buffer. When it goes
// on, it first finds those messages, in the order they came, and then the timers that have passed: a poll that returns
// finds data before it finds its deadline. Where a timer has a thread of its own, it may be the other way round: with
// [Config.EitherFirst] each proc that wakes to both draws which it finds first, and [Config.Choose] can choose. Nothing is drawn
// elsewhere.
//
// A suspended host is paused in all that, but has been suspended to RAM: a third clock of it, the awake clock, stands
// still meanwhile. On Linux that is CLOCK_MONOTONIC, and Mono here is CLOCK_BOOTTIME.
//
// A crashed host is off. Its procs are gone, and with them whatever they would have done later, a deferred unlock too.
// Requests that reach it are refused, so their callers know for sure that nothing was done. After a restart it serves
// again; requests sent before it went down are refused, because their connections are gone.
// What waited in its buffers when it went down is lost without a word.
//
// A message is lost when its link is cut at the moment it is sent or at the moment it would arrive; in the buffer of a
// paused host it has arrived. The caller finds
// out through its timeout, which runs on its own monotonic clock. A reply that comes after that is dropped; what the
// request did stays done.
//
// # How that maps to TCP
//
// TCP loses no message but with its connection, and never reorders a connection's messages. The connection of a [Proc] to a
// server is such a one: what is sent on it arrives in order, behind what a hold keeps back. A lost message stands for
// retransmissions that are lost for as long as the caller waits. When its call has timed out, the caller gives the
// connection up, and its next call opens another, which owes the old one nothing: so what was sent on the old one may arrive
// after what is sent on the new. That is the only way in which messages of one caller pass each other. A caller
// sends one request at a time on a connection, so that nothing else of it can arrive behind the lost one. Posts between
// servers ([Host.Post]) do go on after a loss, as on a connection that is made anew at once: a service that needs all of them
// notices the gap, as package redis does.
//
// # What servers do of their own accord
//
// A service may put off an answer ([Later], [Host.Answer]), send messages that want no reply to other servers
// ([Host.Post]), and wait for times on its host's monotonic clock ([Host.After]) or its wall clock ([Host.AfterWall]).
// A crash takes all three along. They keep no run going: it ends when its clients have ended and none of their messages
// is under way.
//
// # Disks
//
// A disk syncs at once, until it stalls ([Host.StallDisk]). A service that needs a sync says so ([Host.Sync]): while
// the disk stalls, the host then stands still like a paused one, and what the service has to say leaves when the disk
// goes on.
//
// # Guests
//
// Programs that are not procs may have connections with the world's servers ([Config.Outside], [Host.Dial]). The world asks
// them before it takes an event, so that one time counts for both; and each step of a proc is an event then. What they do is
// theirs: with guests a run is as determined as they are.
//
// A [Stream] loses no single message: where one is lost, nothing after it arrives, as on a connection of TCP whose
// retransmissions are lost too. A server that goes off breaks the streams it has accepted, which their clients learn after the
// latency; one that comes on again answers what is sent on an old stream with a reset. What a paused host
// sends waits in it; its kernel accepts connections meanwhile, but not that of a suspended one.
//
// # What the caller owes
//
// Hosts are added before Run, and a world runs once; [World.Reset] makes it new. A Proc is used only by code that runs
// in it, and never swallows a panic it does not know: that is how the world takes a stack back from a proc that is gone.
// Requests and replies are not changed once sent. A broken promise of this kind panics.
package sim
