package etcd

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
)

// A wire is the servers' side of HTTP/2 on a client's connection. It handles frames about the connection alone
// itself, and the messages of calls travel. It does not limit how much the client may send.
type wire struct {
	greeted bool
	heads   *hpack.Decoder
	head    bytes.Buffer // that the encoder writes to
	encoder *hpack.Encoder
	calls   map[uint32]*stream
}

// A stream is one call of gRPC.
type stream struct {
	method string
	body   []byte // of a message that is not whole yet
	headed bool   // the answer's header was written
	over   bool   // nothing more is written
}

// NewWire returns the wire of a connection.
func NewWire(int64) guest.Wire {
	w := &wire{calls: map[uint32]*stream{}}
	w.heads, w.encoder = hpack.NewDecoder(4096, nil), hpack.NewEncoder(&w.head)
	return w
}

// bodies are the messages that the client sends, by method. The bodies of other methods are ignored.
var bodies = map[string]func() proto.Message{
	"/etcdserverpb.KV/Range":             func() proto.Message { return &pb.RangeRequest{} },
	"/etcdserverpb.KV/Put":               func() proto.Message { return &pb.PutRequest{} },
	"/etcdserverpb.KV/DeleteRange":       func() proto.Message { return &pb.DeleteRangeRequest{} },
	"/etcdserverpb.KV/Txn":               func() proto.Message { return &pb.TxnRequest{} },
	"/etcdserverpb.Lease/LeaseGrant":     func() proto.Message { return &pb.LeaseGrantRequest{} },
	"/etcdserverpb.Lease/LeaseRevoke":    func() proto.Message { return &pb.LeaseRevokeRequest{} },
	"/etcdserverpb.Lease/LeaseKeepAlive": func() proto.Message { return &pb.LeaseKeepAliveRequest{} },
	"/etcdserverpb.Watch/Watch":          func() proto.Message { return &pb.WatchRequest{} },
}

// Next reads frames until one is about a request.
func (w *wire) Next(written []byte) (any, []byte, error) {
	if !w.greeted {
		if len(written) < len(http2.ClientPreface) {
			return nil, written, nil
		}
		if !strings.HasPrefix(string(written), http2.ClientPreface) {
			return nil, nil, errors.New("etcd: what the client says is not HTTP/2: has it TLS?")
		}
		w.greeted = true
		return &request{do: greet}, written[len(http2.ClientPreface):], nil
	}
	for len(written) >= frameHead {
		n := int(written[0])<<16 | int(written[1])<<8 | int(written[2])
		if len(written) < frameHead+n {
			break
		}
		f := frame{http2.FrameType(written[3]), http2.Flags(written[4]), binary.BigEndian.Uint32(written[5:]), written[frameHead:][:n]}
		rest := written[frameHead+n:]
		r, err := w.frame(f)
		if err != nil {
			return nil, nil, err
		}
		if written = rest; r != nil {
			return r, rest, nil
		}
	}
	return nil, written, nil
}

// frameHead is how long the header of a frame is.
const frameHead = 9

// A frame is one of HTTP/2.
type frame struct {
	kind   http2.FrameType
	flags  http2.Flags
	stream uint32
	body   []byte
}

// frame returns the request that a frame makes; nil for none.
func (w *wire) frame(f frame) (*request, error) {
	s := w.calls[f.stream]
	ends := f.flags.Has(http2.FlagDataEndStream)
	switch {
	case f.kind == http2.FramePing && !f.flags.Has(http2.FlagPingAck):
		r := &request{do: ping}
		copy(r.data[:], f.body)
		return r, nil
	case f.kind == http2.FrameHeaders:
		if !f.flags.Has(http2.FlagHeadersEndHeaders) || f.flags.Has(http2.FlagHeadersPadded) || f.flags.Has(http2.FlagHeadersPriority) {
			return nil, fmt.Errorf("etcd: a header in a form that gRPC does not write, with the flags %x", f.flags)
		}
		return nil, w.open(f)
	case s != nil && f.kind == http2.FrameRSTStream:
		s.over = true
		return &request{do: cancel, stream: f.stream, method: s.method}, nil
	case s != nil && f.kind == http2.FrameData && len(f.body) == 0 && ends:
		return &request{do: finish, stream: f.stream, method: s.method}, nil
	case s != nil && f.kind == http2.FrameData:
		s.body = append(s.body, f.body...)
		return s.next(f.stream)
	}
	return nil, nil // settings, windows, and acknowledgements
}

// open begins a call.
func (w *wire) open(f frame) error {
	fields, err := w.heads.DecodeFull(f.body)
	if err != nil {
		return err
	}
	s := &stream{}
	for _, h := range fields {
		if h.Name == ":path" {
			s.method = h.Value
		}
	}
	w.calls[f.stream] = s
	return nil
}

// next returns the next whole message; nil if there is none. gRPC writes a message in separate frames.
func (s *stream) next(id uint32) (*request, error) {
	if len(s.body) < messageHead {
		return nil, nil
	}
	n := int(binary.BigEndian.Uint32(s.body[1:]))
	if len(s.body) < messageHead+n {
		return nil, nil
	}
	r := &request{do: call, stream: id, method: s.method}
	if body := bodies[s.method]; body != nil {
		r.body = body()
		if err := proto.Unmarshal(s.body[messageHead:messageHead+n], r.body); err != nil || s.body[0] != 0 {
			return nil, fmt.Errorf("etcd: a message of %s that can't be read: %w", s.method, err)
		}
	}
	s.body = s.body[messageHead+n:]
	return r, nil
}

// messageHead is what gRPC writes before a message: whether it is compressed, and its length.
const messageHead = 5

// Bytes writes an answer: nothing to a call that the library has cancelled.
func (w *wire) Bytes(reply any) ([]byte, bool) {
	a, known := reply.(*answer)
	if !known {
		return nil, false
	}
	switch a.request.do {
	case greet:
		var most [6]byte
		binary.BigEndian.PutUint16(most[:], uint16(http2.SettingInitialWindowSize))
		binary.BigEndian.PutUint32(most[2:], math.MaxInt32)
		b := appendFrame(nil, http2.FrameSettings, 0, 0, most[:])
		b = appendFrame(b, http2.FrameSettings, http2.FlagSettingsAck, 0, nil)
		b = appendFrame(b, http2.FrameWindowUpdate, 0, 0, binary.BigEndian.AppendUint32(nil, math.MaxInt32-initialWindow))
		return b, true
	case ping:
		return appendFrame(nil, http2.FramePing, http2.FlagPingAck, 0, a.request.data[:]), true
	}
	return w.answer(nil, a), true
}

// initialWindow is how much a connection may send at first.
const initialWindow = 65535

// answer writes a part of a call.
func (w *wire) answer(b []byte, a *answer) []byte {
	id := a.request.stream
	s := w.calls[id]
	if s == nil || s.over {
		return nil
	}
	if !s.headed {
		s.headed = true
		b = appendFrame(b, http2.FrameHeaders, http2.FlagHeadersEndHeaders, id,
			w.header(":status", "200", "content-type", "application/grpc"))
	}
	if a.body != nil {
		text, err := proto.Marshal(a.body)
		if err != nil {
			panic(err) // nothing in it can fail
		}
		message := binary.BigEndian.AppendUint32([]byte{0}, uint32(len(text)))
		b = appendFrame(b, http2.FrameData, 0, id, append(message, text...))
	}
	if a.last || a.code != codes.OK {
		s.over = true
		b = appendFrame(b, http2.FrameHeaders, http2.FlagHeadersEndHeaders|http2.FlagHeadersEndStream, id,
			w.header("grpc-status", strconv.Itoa(int(a.code)), "grpc-message", a.why))
	}
	return b
}

// header writes pairs of a name and a value.
func (w *wire) header(pairs ...string) []byte {
	w.head.Reset()
	for i := 0; i < len(pairs); i += 2 {
		_ = w.encoder.WriteField(hpack.HeaderField{Name: pairs[i], Value: pairs[i+1]}) // a buffer takes all
	}
	return bytes.Clone(w.head.Bytes())
}

func appendFrame(b []byte, kind http2.FrameType, flags http2.Flags, stream uint32, body []byte) []byte {
	b = append(b, byte(len(body)>>16), byte(len(body)>>8), byte(len(body)), byte(kind), byte(flags))
	return append(binary.BigEndian.AppendUint32(b, stream), body...)
}

// Names reports whether a request would put a key of the lock.
func (*wire) Names(asked any, key string) bool {
	r := asked.(*request)
	switch q := r.body.(type) {
	case *pb.TxnRequest:
		for _, o := range q.Success {
			if p := o.GetRequestPut(); p != nil && strings.HasPrefix(string(p.Key), key+"/") {
				return true
			}
		}
	case *pb.PutRequest:
		return strings.HasPrefix(string(q.Key), key+"/")
	}
	return false
}

// Grants reports whether an answer is one to a transaction or a put, and whether it was done.
func (*wire) Grants(reply any) (answers, yes bool) {
	a := reply.(*answer)
	t, _ := a.body.(*pb.TxnResponse)
	switch a.request.body.(type) {
	case *pb.TxnRequest, *pb.PutRequest:
		return true, a.code == codes.OK && (t == nil || t.Succeeded)
	}
	return false, false
}
