package etcd

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/mvccpb"
	"google.golang.org/protobuf/proto"

	"github.com/lockstorm/lockstorm/sim/consensus"
)

// translate translates a message of etcd's client for package consensus. An error says what is not simulated. A watch
// is not a request of that package, and is returned unchanged.
func translate(m proto.Message) (any, error) {
	switch q := m.(type) {
	case *pb.RangeRequest:
		o, err := get(q)
		return &consensus.Read{Op: o, Local: q.Serializable}, err
	case *pb.PutRequest:
		o, err := put(q)
		return &consensus.Txn{Then: []consensus.Op{o}}, err
	case *pb.DeleteRangeRequest:
		o, err := remove(q)
		return &consensus.Txn{Then: []consensus.Op{o}}, err
	case *pb.TxnRequest:
		return transaction(q)
	case *pb.LeaseGrantRequest:
		if q.ID != 0 {
			return nil, missing("an ID of a lease that the client chooses")
		}
		return &consensus.Grant{TTL: time.Duration(max(q.TTL, leastTTL)) * time.Second}, nil
	case *pb.LeaseRevokeRequest:
		return &consensus.Revoke{Lease: uint64(q.ID)}, nil
	case *pb.LeaseKeepAliveRequest:
		return &consensus.KeepAlive{Lease: uint64(q.ID)}, nil
	case *pb.WatchRequest:
		return watched(q)
	}
	return nil, missing("this call")
}

// leastTTL is the shortest TTL of a lease, in seconds: etcd takes one and a half elections of a second, rounded up.
const leastTTL = 2

// missing names a feature that is not simulated.
type missing string

// Error returns it.
func (m missing) Error() string { return "not simulated: " + string(m) }

// get returns the operation of a range. The other parts of the request apply to its result: see chosen.
func get(q *pb.RangeRequest) (consensus.Op, error) {
	o := consensus.Op{Key: string(q.Key)}
	switch {
	case q.Revision != 0:
		return o, missing("a range at a revision")
	case len(q.RangeEnd) > 0 && bytes.Equal(q.RangeEnd, prefixEnd(q.Key)):
		o.Prefix = true
	case len(q.RangeEnd) > 0:
		return o, missing("a range that is no prefix")
	}
	return o, nil
}

// prefixEnd returns the end of the range of all keys that begin with a prefix.
func prefixEnd(key []byte) []byte {
	end := bytes.Clone(key)
	for i := len(end) - 1; i >= 0; i-- {
		if end[i] < math.MaxUint8 {
			end[i]++
			return end[:i+1]
		}
	}
	return []byte{0}
}

func put(q *pb.PutRequest) (consensus.Op, error) {
	o := consensus.Op{Do: consensus.Put, Key: string(q.Key), Value: string(q.Value), Lease: uint64(q.Lease)}
	if q.PrevKv || q.IgnoreValue || q.IgnoreLease {
		return o, missing("a put that looks at the key before")
	}
	return o, nil
}

func remove(q *pb.DeleteRangeRequest) (consensus.Op, error) {
	o, err := get(&pb.RangeRequest{Key: q.Key, RangeEnd: q.RangeEnd})
	o.Do = consensus.Delete
	return o, err
}

func transaction(q *pb.TxnRequest) (t *consensus.Txn, err error) {
	t = &consensus.Txn{}
	for _, c := range q.Compare {
		is, err := compare(c)
		if err != nil {
			return nil, err
		}
		t.If = append(t.If, is)
	}
	if t.Then, err = steps(q.Success); err == nil {
		t.Else, err = steps(q.Failure)
	}
	return t, err
}

func compare(c *pb.Compare) (is consensus.Compare, err error) {
	is.Key = string(c.Key)
	if c.Result != pb.Compare_EQUAL || len(c.RangeEnd) > 0 {
		return is, missing("a comparison that is not of equality, or is of a range")
	}
	switch v := c.TargetUnion.(type) {
	case *pb.Compare_CreateRevision:
		is.Of, is.Is = consensus.Create, uint64(v.CreateRevision)
	case *pb.Compare_ModRevision:
		is.Of, is.Is = consensus.Mod, uint64(v.ModRevision)
	case *pb.Compare_Version:
		is.Of, is.Is = consensus.Version, uint64(v.Version)
	case *pb.Compare_Lease:
		is.Of, is.Is = consensus.Lease, uint64(v.Lease)
	default:
		return is, missing(fmt.Sprintf("a comparison of %s", c.Target))
	}
	return is, nil
}

func steps(all []*pb.RequestOp) (ops []consensus.Op, err error) {
	for _, s := range all {
		var o consensus.Op
		switch q := s.Request.(type) {
		case *pb.RequestOp_RequestRange:
			o, err = get(q.RequestRange)
		case *pb.RequestOp_RequestPut:
			o, err = put(q.RequestPut)
		case *pb.RequestOp_RequestDeleteRange:
			o, err = remove(q.RequestDeleteRange)
		default:
			err = missing("a transaction within one")
		}
		if err != nil {
			return nil, err
		}
		ops = append(ops, o)
	}
	return ops, nil
}

// A wanted is what a watch asks for.
type wanted struct {
	op    consensus.Op // which keys
	since uint64       // the first revision; 0 for the next
	ends  bool         // ends the watch with the id
	id    int64
}

// String is how it looks in a trace.
func (w *wanted) String() string {
	if w.ends {
		return fmt.Sprintf("end %d", w.id)
	}
	return fmt.Sprintf("%v since %d", w.op, w.since)
}

func watched(q *pb.WatchRequest) (*wanted, error) {
	switch r := q.RequestUnion.(type) {
	case *pb.WatchRequest_CancelRequest:
		return &wanted{ends: true, id: r.CancelRequest.WatchId}, nil
	case *pb.WatchRequest_CreateRequest:
		c := r.CreateRequest
		if c.PrevKv || len(c.Filters) > 0 || c.WatchId != 0 {
			return nil, missing("a watch with filters, or one that looks at the key before")
		}
		o, err := get(&pb.RangeRequest{Key: c.Key, RangeEnd: c.RangeEnd})
		return &wanted{op: o, since: uint64(max(c.StartRevision, 0))}, err
	}
	return nil, missing("progress of a watch")
}

// response translates a reply of package consensus for etcd's client, and describes it briefly for a trace.
func response(h *pb.ResponseHeader, asked proto.Message, r *consensus.Reply) (body proto.Message, says string) {
	says = fmt.Sprintf("revision %d", r.Revision)
	switch q := asked.(type) {
	case *pb.RangeRequest:
		found := chosen(q, h, r.Results[0])
		return found, fmt.Sprintf("%s, %d keys", says, len(found.Kvs))
	case *pb.PutRequest:
		return &pb.PutResponse{Header: h}, says
	case *pb.DeleteRangeRequest:
		n := len(r.Results[0])
		return &pb.DeleteRangeResponse{Header: h, Deleted: int64(n)}, fmt.Sprintf("%s, %d deleted", says, n)
	case *pb.TxnRequest:
		return &pb.TxnResponse{Header: h, Succeeded: r.Succeeded, Responses: results(q, r)}, fmt.Sprintf("%s, %t", says, r.Succeeded)
	case *pb.LeaseGrantRequest:
		return &pb.LeaseGrantResponse{Header: h, ID: int64(r.Lease), TTL: max(q.TTL, leastTTL)}, fmt.Sprintf("lease %d", r.Lease)
	}
	return &pb.LeaseRevokeResponse{Header: h}, says
}

func results(q *pb.TxnRequest, r *consensus.Reply) (all []*pb.ResponseOp) {
	branch := q.Failure
	if r.Succeeded {
		branch = q.Success
	}
	h := &pb.ResponseHeader{Revision: int64(r.Revision)}
	for i, s := range branch {
		one := &pb.ResponseOp{}
		switch o := s.Request.(type) {
		case *pb.RequestOp_RequestRange:
			one.Response = &pb.ResponseOp_ResponseRange{ResponseRange: chosen(o.RequestRange, h, r.Results[i])}
		case *pb.RequestOp_RequestPut:
			one.Response = &pb.ResponseOp_ResponsePut{ResponsePut: &pb.PutResponse{Header: h}}
		default:
			deleted := &pb.DeleteRangeResponse{Header: h, Deleted: int64(len(r.Results[i]))}
			one.Response = &pb.ResponseOp_ResponseDeleteRange{ResponseDeleteRange: deleted}
		}
		all = append(all, one)
	}
	return all
}

// chosen returns the keys that a range asks for. Like etcd, it counts all keys in it, removes those whose revisions
// are too old or too new, sorts, and truncates.
func chosen(q *pb.RangeRequest, h *pb.ResponseHeader, in consensus.Result) *pb.RangeResponse {
	out := &pb.RangeResponse{Header: h, Count: int64(len(in))}
	within := func(v uint64, least, most int64) bool { return int64(v) >= least && (most == 0 || int64(v) <= most) }
	in = slices.DeleteFunc(slices.Clone(in), func(k consensus.KeyValue) bool {
		return !within(k.Create, q.MinCreateRevision, q.MaxCreateRevision) || !within(k.Mod, q.MinModRevision, q.MaxModRevision)
	})
	slices.SortStableFunc(in, func(a, b consensus.KeyValue) int {
		by := map[pb.RangeRequest_SortTarget]int{
			pb.RangeRequest_KEY: cmp.Compare(a.Key, b.Key), pb.RangeRequest_CREATE: cmp.Compare(a.Create, b.Create),
			pb.RangeRequest_MOD: cmp.Compare(a.Mod, b.Mod), pb.RangeRequest_VERSION: cmp.Compare(a.Version, b.Version),
			pb.RangeRequest_VALUE: cmp.Compare(a.Value, b.Value),
		}[q.SortTarget]
		if q.SortOrder == pb.RangeRequest_DESCEND {
			by = -by
		}
		return cmp.Or(by, cmp.Compare(a.Key, b.Key))
	})
	if n := int(q.Limit); n > 0 && n < len(in) {
		in, out.More = in[:n], true
	}
	for _, k := range in {
		if q.KeysOnly {
			k.Value = ""
		}
		out.Kvs = append(out.Kvs, keyValue(k))
	}
	if q.CountOnly {
		out.Kvs = nil
	}
	return out
}

func keyValue(k consensus.KeyValue) *mvccpb.KeyValue {
	return &mvccpb.KeyValue{Key: []byte(k.Key), Value: []byte(k.Value), CreateRevision: int64(k.Create), ModRevision: int64(k.Mod),
		Version: int64(k.Version), Lease: int64(k.Lease)}
}
