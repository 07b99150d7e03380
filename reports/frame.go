package reports

// A Frame is what a page has around it that is one of several of a site.
type Frame struct {
	Sheet, Icon string   // addresses
	Menu        []Shelf  // of all pages; without one, a server states the policy
	Home        Link     // the first page
	Search      string   // the address of the page that searches; "" for none
	Scripts     []string // addresses of those of the page
	Allowed     string   // other scripts that may run, as a policy has them
}

// A Shelf is pages that stand together in a menu. The one that is shown has no address.
type Shelf struct {
	Head  string
	Links []Link
}
