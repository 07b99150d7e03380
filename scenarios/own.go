package scenarios

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/platform"
)

// AddLock adds a kind of lock on user-defined servers: scenarios may name it from then on, and everything made of
// scenarios works with it. The protocol needs a name and New; without Options it has ttl, timeout, patience, own_time,
// retry and renew. Package platform has the rules for its servers. If the evidence of a run is not sound, the run is
// unknown, and says why. Call AddLock during start-up, before any scenario is read, and not concurrently.
func AddLock(p locks.Protocol, on platform.Platform) (Kind, error) {
	if p.Options == nil {
		p.Options = []string{"ttl", "timeout", "patience", "own_time", "retry.", "renew."}
	}
	if err := checkLock(&p, on); err != nil {
		return 0, fmt.Errorf("AddLock: %w", err)
	}
	kind := Kind(len(kinds))
	addKind(registered{&p, on, nil, 0})
	if !slices.Contains(platform.All, on) {
		platform.All = append(platform.All, on)
	}
	return kind, nil
}

// Added reports whether the kind came by AddLock.
func (k Kind) Added() bool { return int(k) >= ours && k.Protocol() != nil }

func checkLock(p *locks.Protocol, on platform.Platform) error {
	switch {
	case p.Name == "" || strings.Trim(p.Name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "":
		return fmt.Errorf("%q can't name a kind of lock; use small letters, digits and hyphens", p.Name)
	case slices.Contains(KindNames, p.Name):
		return fmt.Errorf("there is a kind of lock named %s already", p.Name)
	case p.New == nil:
		return errors.New("the protocol has no New; give a function that makes a client's lock")
	case on == nil:
		return errors.New("there is no platform")
	case !reflect.TypeOf(on).Comparable():
		return fmt.Errorf("platforms are compared, and %T can't be; give a pointer to it", on)
	}
	for _, o := range p.Options {
		if !strings.HasSuffix(o, ".") && !isLockOption(o) {
			return fmt.Errorf("there is no option %q; lockstorm run SCENARIO --help-set lists those below lock", o)
		}
	}
	return checkServers(p, on)
}

// checkServers asks a platform of everything once.
func checkServers(p *locks.Protocol, on platform.Platform) error {
	base := Base()
	t := base.topology()
	t.Kind, t.Servers = p.Name, 1
	on.Settle(&t)
	if !p.OneServer {
		t.Servers = t.Nodes
	}
	var wrong []error
	on.Check(&t, func(ok bool, key, format string, args ...any) {
		if !ok {
			wrong = append(wrong,
				fmt.Errorf("it settles on a topology that it rejects: %s: %s", key, fmt.Sprintf(format, args...)))
		}
	})
	traits := on.Traits()
	if len(traits.Others) != len(traits.Roles) {
		wrong = append(wrong, fmt.Errorf("its Traits have %d Others and %d Roles; give each a word",
			len(traits.Others), len(traits.Roles)))
	}
	if life := on.Times(&t).Life; life <= 0 {
		wrong = append(wrong,
			fmt.Errorf("its Times have a Life of %s; give how long a key lives that no client deletes", life))
	}
	for _, id := range on.AppendAsked(nil, &t) {
		if id < 0 || id >= t.Nodes {
			wrong = append(wrong,
				fmt.Errorf("its AppendAsked names the host %d, and there are %d nodes, from 0 on", id, t.Nodes))
		}
	}
	servers := on.New()
	if servers == nil {
		return errors.Join(append(wrong, errors.New("the platform's New returns no servers"))...)
	}
	defer servers.Close()
	if nodes, others := servers.Services(&t); len(nodes) != t.Nodes || len(others) != len(traits.Others) {
		wrong = append(wrong,
			fmt.Errorf("its Services returns %d nodes and %d others; want %d, as Topology.Nodes has it, and %d, "+
				"as Traits.Others names", len(nodes), len(others), t.Nodes, len(traits.Others)))
	}
	return errors.Join(wrong...)
}

// errUnsound is why a run is cut short whose evidence can't be judged.
const errUnsound = "the evidence of the platform's servers is not sound"

// unsound returns what is wrong with the evidence of user-defined servers; "" for nothing.
func (r *Runner) unsound() string {
	if r.Real != nil || !r.scenario.Lock.Kind.Added() {
		return ""
	}
	e := &r.evidence
	if len(e.Holds) > 0 && len(e.Keys) == 0 {
		return fmt.Sprintf("the lock was had %d times, and AppendKeys gave no life of any key; each grant is known by a key whose "+
			"Token is what Servers.Token returns for it", len(e.Holds))
	}
	if err := e.Check(); err != nil {
		return err.Error()
	}
	return ""
}
