package serve

import (
	"bytes"
	"io"
	"io/fs"
	"net"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/reports/site/internal/browse"
)

// Policies for what was stored. A page of ours runs our script in a sandbox, where it belongs to no site and can reach
// nothing; a page of anybody else's runs none, and neither does anything else.
var (
	pagePolicy = "sandbox allow-scripts allow-downloads; default-src 'none'; style-src 'unsafe-inline'; script-src " +
		runs.Scripts() +
		"; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	filePolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; " +
		"frame-ancestors 'none'"
)

// Handler returns what answers requests about the store. With loopback, it answers only to the names of this machine: a page from
// elsewhere, whose own name was made to lead here, is refused.
func (s *Store) Handler(loopback bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, h := range [][2]string{
			{"Content-Security-Policy", browse.Policy},
			{"X-Content-Type-Options", "nosniff"},
			{"X-Frame-Options", "DENY"},
			{"Referrer-Policy", "no-referrer"},
			{"Cross-Origin-Opener-Policy", "same-origin"},
			{"Cross-Origin-Embedder-Policy", "require-corp"},
			{"Cross-Origin-Resource-Policy", "same-origin"},
			{"Cache-Control", "no-store"},
		} {
			w.Header().Set(h[0], h[1])
		}
		switch {
		case loopback && !isLoopback(r.Host):
			notice(w, http.StatusMisdirectedRequest, "Not this name", "This server answers only to 127.0.0.1, [::1] and localhost.")
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			notice(w, http.StatusMethodNotAllowed, "To be read only", "This server answers GET and HEAD, and changes nothing.")
		default:
			s.answer(w, r)
		}
	})
}

// isLoopback reports whether the Host of a request names this machine to itself.
func isLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// answer finds the page. The first word of a path is the room, the rest a place in the store.
func (s *Store) answer(w http.ResponseWriter, r *http.Request) {
	room, place, deep := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if place == "" {
		place = "."
	}
	switch {
	case !isPlace(place):
		missing(w)
	case room == "files":
		s.file(w, r, place)
	case room == "run" && deep:
		s.run(w, place)
	case room == "campaign" && deep:
		s.showCampaign(w, place)
	case room == "timeline":
		s.picture(w, r, place)
	case deep:
		missing(w)
	case room == "":
		s.list(w, r)
	case room == "compare":
		s.compare(w, r)
	case room == "style.css":
		send(w, r, "text/css; charset=utf-8", browse.Style())
	case room == "icon.svg", room == "favicon.ico":
		send(w, r, types[".svg"], browse.Icon())
	default:
		missing(w)
	}
}

func (s *Store) list(w http.ResponseWriter, r *http.Request) {
	s.one.Lock()
	defer s.one.Unlock()
	v, q := s.survey(), browse.ParseQuery(r.URL.Query())
	shown := browse.Store{Name: s.name, Runs: s.wanted(v.runs, q), Cut: v.cut}
	left := countedAtOnceMax
	for _, place := range v.campaigns {
		c := s.campaign(place, left)
		for _, t := range c.Tallies {
			left -= t.Runs
		}
		shown.Campaigns = append(shown.Campaigns, c)
	}
	html(w, http.StatusOK, browse.Index(shown, q))
}

// wanted returns the lines of all runs; of a large store, only those that a query shows are read, if that is enough for it.
func (s *Store) wanted(places []string, q browse.Query) []browse.Run {
	if len(places) <= readAlwaysMax || q.NeedsAll() {
		return s.lines(places)
	}
	browse.SortPlaces(places)
	runs := make([]browse.Run, len(places))
	for i, place := range places {
		runs[i] = browse.Run{Place: place, Unread: true}
	}
	from, to := q.Window(len(places))
	copy(runs[from:to], s.lines(places[from:to]))
	return runs
}

func (s *Store) run(w http.ResponseWriter, place string) {
	if !s.is(place, aRun) {
		missing(w)
		return
	}
	html(w, http.StatusOK, browse.RunPage(s.view(place)))
}

func (s *Store) showCampaign(w http.ResponseWriter, place string) {
	if !s.is(place, aCampaign) {
		missing(w)
		return
	}
	s.one.Lock()
	defer s.one.Unlock()
	html(w, http.StatusOK, browse.CampaignPage(s.page(place)))
}

func (s *Store) is(place string, want kind) bool {
	entries, _ := s.entries(place)
	_, is := classify(entries)
	return is == want
}

// compare puts the two runs of a query side by side: a and b, or those that were ticked in the list.
func (s *Store) compare(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	places := append(q["a"], q["b"]...)
	if len(places) == 0 {
		places = q["run"]
	}
	if len(places) != 2 {
		notice(w, http.StatusBadRequest, "Two runs, please", "Tick two runs in the list, and they are put side by side.")
		return
	}
	for i, place := range places {
		place = browse.Unescape(place)
		places[i] = place
		if !isPlace(place) || !s.is(place, aRun) {
			notice(w, http.StatusNotFound, "No such run", "There is no run "+wording.Plain(place)+" in the store.")
			return
		}
	}
	html(w, http.StatusOK, browse.ComparePage(s.view(places[0]), s.view(places[1])))
}

// picture returns the timeline of a run, for a page to show as a picture.
func (s *Store) picture(w http.ResponseWriter, r *http.Request, place string) {
	svg, err := s.timeline(place)
	if err != nil {
		missing(w)
		return
	}
	w.Header().Set("Content-Security-Policy", filePolicy)
	send(w, r, types[".svg"], svg)
}

func (s *Store) file(w http.ResponseWriter, r *http.Request, name string) {
	if !isOurs(name) {
		missing(w)
		return
	}
	f, about, err := s.open(name)
	if err != nil {
		missing(w)
		return
	}
	defer func() { _ = f.Close() }()
	h, kind := w.Header(), path.Ext(name)
	h.Set("Content-Security-Policy", filePolicy)
	if kind == ".html" {
		h.Set("Content-Security-Policy", pagePolicy)
	}
	if kind == ".gz" || kind == ".pdf" { // a browser would show them in programs of its own, or not at all
		h.Set("Content-Disposition", "attachment")
	}
	h.Set("Content-Type", types[kind])
	http.ServeContent(w, r, "", about.ModTime(), f)
}

func html(w http.ResponseWriter, code int, page *reports.Document) {
	w.Header().Set("Content-Type", types[".html"])
	w.WriteHeader(code)
	_, _ = io.WriteString(w, page.HTML()) // the client may be gone
}

func notice(w http.ResponseWriter, code int, title, says string) {
	html(w, code, browse.Notice(title, says))
}

func missing(w http.ResponseWriter) {
	notice(w, http.StatusNotFound, "There is nothing here", "The store has no such run, campaign or file, or it is none that "+
		"Lockstorm writes.")
}

func send(w http.ResponseWriter, r *http.Request, kind string, content []byte) {
	w.Header().Set("Content-Type", kind)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

var _ fs.ReadFileFS = bounded{} // which archives are read through
