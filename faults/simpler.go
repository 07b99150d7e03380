package faults

// Weight returns how complex the fault's targets and manner are: names weigh least, roles more.
func (f Fault) Weight() (w int64) {
	for _, at := range f.Hosts() {
		w += roleWeight(*at)
	}
	for _, p := range f.parts() {
		if p.weight != nil {
			w += p.weight(&f)
		}
	}
	if f.On != "" {
		w += 2
	}
	return w
}

func roleWeight(word string) int64 {
	switch word {
	case ANode, AClient:
		return 2
	case Minority, Majority:
		return 4
	case Nodes, Clients:
		return 5
	case All:
		return 8
	}
	return 1 // a name; or holder, which says more than a name
}

// FewerHosts tries the fault with fewer hosts or with plainer words for them, such as one of these names for a role. It
// ends as soon as try returns false, and then returns false.
func (f Fault) FewerHosts(names []string, try func(Fault) bool) bool {
	for _, p := range f.parts() {
		fewer := p.fewer
		if fewer == nil && p.hosts != nil {
			fewer = namesForRoles
		}
		if fewer != nil && !fewer(f, names, try) {
			return false
		}
	}
	f.On = ""
	for _, p := range f.parts() {
		if p.plain != nil {
			p.plain(&f)
		}
	}
	return try(f)
}

// namesForRoles tries each name in place of each role.
func namesForRoles(f Fault, names []string, try func(Fault) bool) bool {
	for i, at := range f.Hosts() {
		if roleWeight(*at) < 2 {
			continue
		}
		for _, name := range names {
			less := f
			if *less.Hosts()[i] = name; !try(less) {
				return false
			}
		}
	}
	return true
}
