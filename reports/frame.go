package reports

// A Frame is the surroundings of a page that is one of several in a site.
type Frame struct {
	Sheet, Icon string   // addresses
	About       string   // a sentence that says what the page is about, for search engines and previews of links
	Preview     string   // the address of a picture for previews of links; "" for none
	Menu        []Shelf  // of all pages; without one, a server states the policy
	Home        Link     // the first page
	Search      string   // the address of the page that searches; "" for none
	Scripts     []string // addresses of the page's scripts
	Allowed     string   // other scripts that may run, as a policy has them
}

// A Shelf is a group of pages in a menu. The page that is shown has no address.
type Shelf struct {
	Head  string
	Links []Link
}
