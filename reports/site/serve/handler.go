package serve

import (
	"io"
	"net"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/reports/stores"
)

// Policies. Pages of the server have no scripts. A stored report runs our script in a sandbox, where it belongs to no
// site and can reach nothing; any other stored file runs none.
var (
	ownPolicy  = guard("img-src data:")
	pagePolicy = "sandbox allow-scripts allow-downloads; " + guard("script-src "+runs.Scripts()+"; img-src data:")
	filePolicy = "sandbox; " + guard("img-src data:")
)

func guard(allowed string) string {
	return "default-src 'none'; style-src 'unsafe-inline'; " + allowed +
		"; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// Handler answers requests about the store. With loopback, it answers only to the names of this machine. So it rejects
// a page from elsewhere whose name was made to lead here.
func (s *Store) Handler(loopback bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, h := range [][2]string{
			{"Content-Security-Policy", ownPolicy},
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

// answer finds the page. An address is the name of a file in the store, or of a directory with a slash behind it; the
// first page is the list.
func (s *Store) answer(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	place, isDir := strings.CutSuffix(name, "/")
	switch {
	case name == "":
		s.list(w)
	case !isPlace(place):
		missing(w)
	case isDir:
		s.directory(w, place)
	default:
		s.send(w, r, name)
	}
}

// list shows the page of the store, with links to the files of each run.
func (s *Store) list(w http.ResponseWriter) {
	p := s.page()
	all, _, err := stores.List(p, runsMax)
	if err != nil {
		notice(w, http.StatusInternalServerError, "The store can't be listed", err.Error())
		return
	}
	for i := range all.Campaigns {
		if c := &all.Campaigns[i]; c.Page == "" && c.Place != "." {
			c.Page = c.Place + "/"
		}
	}
	d := all.Document()
	d.Title += " in " + wording.Plain(s.name)
	d.Blocks = slices.Insert(d.Blocks, 0, reports.Block{Words: reports.Words(d.Summary + ".")})
	if len(all.Suites)+len(all.Runs)+len(all.Campaigns) == 0 {
		d.Rich(reports.Span{Text: "There are no runs here. "}, code("lockstorm run kleppmann/gc-pause"), reports.Span{Text: " makes one."})
	}
	d.Rows.Columns = append(d.Rows.Columns, reports.Column{Head: "more"})
	for i := range all.Runs {
		r, more := &all.Runs[i], reports.Cell{}
		if r.Wrong == "" {
			more = reports.Cell{Text: "files", Link: address(strings.TrimPrefix(r.Place+"/", "./"))}
		}
		d.Rows.Rows[i] = append(d.Rows.Rows[i], more)
	}
	files(d, filesOf(p, "."), ".")
	html(w, http.StatusOK, d)
}

// directory shows the files of a run or a campaign.
func (s *Store) directory(w http.ResponseWriter, place string) {
	all := filesOf(s.page(), place)
	if len(all) == 0 {
		missing(w)
		return
	}
	d := &reports.Document{Title: wording.Plain(place)}
	d.Rich(reports.Span{Text: "All runs and campaigns", Link: "/"})
	files(d, all, place)
	html(w, http.StatusOK, d)
}

// files adds a table of the files of a run or a campaign.
func files(d *reports.Document, all []string, place string) {
	if len(all) == 0 {
		return
	}
	d.Heading("Files")
	t := &reports.Table{Columns: reports.Columns("file", "holds")}
	for _, name := range all {
		t.Rows = append(t.Rows, []reports.Cell{{Text: wording.Plain(name), Link: address(path.Join(place, name))}, {Text: holds[name]}})
	}
	d.Table("", t)
}

// send sends a stored file.
func (s *Store) send(w http.ResponseWriter, r *http.Request, name string) {
	if !isOurs(name) {
		missing(w)
		return
	}
	f, about, err := s.file(name)
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
	if kind == ".gz" || kind == ".pdf" { // a browser would show them in other programs, or not at all
		h.Set("Content-Disposition", "attachment")
	}
	h.Set("Content-Type", types[kind])
	http.ServeContent(w, r, "", about.ModTime(), f)
}

// html sends a page.
func html(w http.ResponseWriter, code int, d *reports.Document) {
	d.Foot = "Served by Lockstorm, read-only."
	w.Header().Set("Content-Type", types[".html"])
	w.WriteHeader(code)
	_, _ = io.WriteString(w, d.HTML()) // the client may be gone
}

func notice(w http.ResponseWriter, code int, title, says string) {
	d := &reports.Document{Title: title}
	d.Paragraph(wording.PlainLong(says))
	html(w, code, d)
}

func missing(w http.ResponseWriter) {
	notice(w, http.StatusNotFound, "There is nothing here", "The store has no such run, campaign or file, or it is none that "+
		"Lockstorm writes.")
}

func code(text string) reports.Span { return reports.Span{Text: text, Look: "code"} }
