package playground

// A step is one state of the page, and the words about it.
type step struct {
	Title string `json:"title"`
	Text  string `json:"text"`
	Link  string `json:"link"`
}

const paused = "#run=kleppmann/gc-pause&seed=1&set=work.work=1s"

// tour is the debate about Redlock, one argument after the other.
var tour = []step{
	{"It works", "Client c1 acquires the lock from a majority of five nodes, is paused for only 2 s, writes, and releases it. " +
		"Then c2 acquires it, and no update is lost.", paused + "&set=fault.1.for=2s"},
	{"A pause loses an update", "c1 is now paused for 15 s, but nodes keep its key for only 10 s, so c2 acquires the lock and writes. " +
		"c1 wakes up, knows nothing of that, and overwrites c2's update.", paused},
	{"A second look at the clock helps", "When c1 wakes up, it now checks before it writes whether its lock is still valid, and gives up: " +
		"no update is lost. Some promises are red nevertheless, because c1 slept past its validity and still believed that it " +
		"held the lock while c2 had it.", paused + "&set=work.recheck=true"},
	{"A late write beats it", "c1 checks, and sends its write in time, but the network holds the message up for 15 s. " +
		"No check on the client can prevent that: the write arrives after c2's, and overwrites it.",
		"#run=kleppmann/delayed-write&seed=1&set=work.work=1s"},
	{"Fencing saves the data, if reads carry tokens", "Each grant has a larger number, its fencing token. The picture shows storage " +
		"that accepts every write, so the verdict is red. Storage that checks tokens would reject c1's late write, because it " +
		"saw c2's larger token with c2's read: “No lost update with fencing” holds. Under “Compare with”, only writes carry " +
		"tokens, and an update is lost despite fencing.",
		"#run=fencing/not-yet-marked&seed=1&beside=fencing.reads_mark=false"},
	{"A clock jumps", "c1 reaches only n1, n2 and n3, and c2 only n3, n4 and n5; then the clock of n3 jumps forward by 11 s, and n3 " +
		"expires c1's key too early. So c2 gets a majority too, and both clients have a valid lock at the same time.",
		"#run=kleppmann/clock-jump&seed=1"},
	{"Clients that start together need no partition", "Here every client reaches every node, but both start at the same moment, so c1 " +
		"wins with three of five votes, and one clock that jumps is enough. Under “Compare with”, the clients start a second apart, " +
		"c1 has all five votes, and the same jump breaks nothing.",
		"#run=kleppmann/clock-jump-together&seed=1&beside=work.stagger=1s"},
}
