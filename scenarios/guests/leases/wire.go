package leases

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"strconv"
	"time"

	coordination "k8s.io/api/coordination/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
	"github.com/lockstorm/lockstorm/scenarios/locks"
)

// A wire is a library's connection.
type wire struct {
	asked       string // the method of the request that it answers next
	name, space string // of the object, as the library calls it
}

// NewWire returns the wire of a connection.
func NewWire(int64) guest.Wire { return &wire{} }

// A get asks for the object.
type get struct{}

// String describes the request in a trace.
func (get) String() string { return "GET lease" }

// Next reads a request.
func (w *wire) Next(written []byte) (any, []byte, error) {
	r, body, rest, err := guest.ReadHTTP(written)
	if r == nil {
		return nil, rest, err
	}
	w.asked, w.name, w.space = r.Method, path.Base(r.URL.Path), path.Base(path.Dir(path.Dir(r.URL.Path)))
	if r.Method == http.MethodGet {
		return get{}, rest, nil
	}
	var l coordination.Lease
	if _, _, err := scheme.Codecs.UniversalDeserializer().Decode(body, nil, &l); err != nil {
		return nil, nil, fmt.Errorf("leases: a body that is no Lease: %w", err)
	}
	w.name, w.space = l.Name, l.Namespace // of the body: the path of a POST has no name
	e := resourcelock.LeaseSpecToLeaderElectionRecord(&l.Spec)
	lasts := time.Duration(e.LeaseDurationSeconds) * time.Second
	c := &locks.Change{If: locks.MatchVersion, Record: locks.Record{Owner: e.HolderIdentity, Lasts: lasts,
		Expires: time.Duration(e.RenewTime.UnixNano()) + lasts, Number: uint64(e.LeaderTransitions)}}
	switch r.Method {
	case http.MethodPost:
	case http.MethodPut:
		if c.Was.Version, err = strconv.ParseUint(l.ResourceVersion, 10, 64); err != nil {
			return nil, nil, fmt.Errorf("leases: a PUT without the version that it replaces: %w", err)
		}
	default:
		return nil, nil, fmt.Errorf("leases: the server knows no %s; it knows GET, POST and PUT", r.Method)
	}
	return c, rest, nil
}

// Bytes writes a reply: the object, or a Status.
func (w *wire) Bytes(answer any) ([]byte, bool) {
	r, known := answer.(locks.RecordReply)
	if !known {
		return nil, false
	}
	code, why := http.StatusOK, meta.StatusReason("")
	switch {
	case w.asked == http.MethodGet && r.Version == 0:
		code, why = http.StatusNotFound, meta.StatusReasonNotFound
	case w.asked != http.MethodGet && !r.Done:
		code, why = http.StatusConflict, meta.StatusReasonConflict
	case w.asked == http.MethodPost:
		code = http.StatusCreated
	}
	var body any = &meta.Status{TypeMeta: meta.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: meta.StatusFailure,
		Message: http.StatusText(code), Reason: why, Code: int32(code)}
	if why == "" {
		body = &coordination.Lease{
			TypeMeta:   meta.TypeMeta{Kind: "Lease", APIVersion: "coordination.k8s.io/v1"},
			ObjectMeta: meta.ObjectMeta{Name: w.name, Namespace: w.space, ResourceVersion: strconv.FormatUint(r.Version, 10)},
			Spec: resourcelock.LeaderElectionRecordToLeaseSpec(&resourcelock.LeaderElectionRecord{
				HolderIdentity: r.Owner, LeaseDurationSeconds: int(r.Lasts / time.Second),
				RenewTime: meta.Time{Time: time.Unix(0, int64(r.Expires-r.Lasts))}, LeaderTransitions: int(r.Number)}),
		}
	}
	text, _ := json.Marshal(body) // nothing in it can fail
	return fmt.Appendf(nil, "HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		code, http.StatusText(code), len(text), text), true
}

// Names reports whether a request asks for the lease: one that would write a holder.
func (*wire) Names(asked any, _ string) bool {
	c, is := asked.(*locks.Change)
	return is && c.Owner != ""
}

// Grants reports whether a reply answers a write, and whether it was made.
func (w *wire) Grants(answer any) (answers, yes bool) {
	return w.asked != http.MethodGet, answer.(locks.RecordReply).Done
}
