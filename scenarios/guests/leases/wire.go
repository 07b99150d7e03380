package leases

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	coordination "k8s.io/api/coordination/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
)

// A wire is a connection of a library's.
type wire struct{}

// NewWire returns the wire of a connection.
func NewWire(int64) guest.Wire { return wire{} }

// Next reads a request.
func (wire) Next(written []byte) (any, []byte, error) {
	in := bytes.NewReader(written)
	b := bufio.NewReader(in)
	r, err := http.ReadRequest(b)
	var body []byte
	if err == nil {
		body, err = io.ReadAll(r.Body)
	}
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, written, nil
	case err != nil:
		return nil, nil, err
	}
	asked := &request{do: r.Method}
	if len(body) > 0 {
		var l coordination.Lease
		if _, _, err := scheme.Codecs.UniversalDeserializer().Decode(body, nil, &l); err != nil {
			return nil, nil, fmt.Errorf("leases: a body that is no Lease: %w", err)
		}
		asked.spec = l.Spec
		asked.name, asked.space = l.Name, l.Namespace
		asked.version, _ = strconv.Atoi(l.ResourceVersion)
	}
	return asked, written[len(written)-in.Len()-b.Buffered():], nil
}

// Bytes writes a reply: the object, or a Status.
func (wire) Bytes(answer any) []byte {
	r := answer.(*reply)
	var body any = &coordination.Lease{
		TypeMeta:   meta.TypeMeta{Kind: "Lease", APIVersion: "coordination.k8s.io/v1"},
		ObjectMeta: meta.ObjectMeta{Name: r.name, Namespace: r.space, ResourceVersion: strconv.Itoa(r.version)}, Spec: r.spec,
	}
	if why, bad := reasons[r.code]; bad {
		body = &meta.Status{TypeMeta: meta.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: meta.StatusFailure,
			Message: http.StatusText(r.code), Reason: why, Code: int32(r.code)}
	}
	text, _ := json.Marshal(body) // nothing in it can fail
	return fmt.Appendf(nil, "HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		r.code, http.StatusText(r.code), len(text), text)
}

var reasons = map[int]meta.StatusReason{
	http.StatusNotFound: meta.StatusReasonNotFound, http.StatusConflict: meta.StatusReasonConflict,
}

// Names reports whether a request asks for the lease: one that would write a holder.
func (wire) Names(asked any, _ string) bool {
	r := asked.(*request)
	return r.do != http.MethodGet && holder(&r.spec) != ""
}

// Grants reports whether a reply answers a write, by its code. The reply to a GET comes before any write was sent.
func (wire) Grants(answer any) (answers, yes bool) {
	return true, answer.(*reply).code < http.StatusBadRequest
}
