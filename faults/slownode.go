package faults

// SlowNode makes each message to Host, and so each request, take By longer until the end.
var SlowNode = &Kind{
	Name: "slow-node", Label: "Slow node", Form: "slow-node HOST by 5ms", About: "messages to it take longer",
	Class: delay,
	Links: true,
	parts: []*part{nodePart, delayPart},
	check: checkDelay,
	strike: func(t *targets, f *Fault) effect {
		return slow(t.world, between(t.world.Hosts(), t.resolve(&f.Host)), f.By)
	},
}
