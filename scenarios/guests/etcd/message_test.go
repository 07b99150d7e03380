package etcd

import (
	"testing"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
)

// A transaction and a put have an answer whether they were done or not, and nothing else grants anything. A trace
// shows the answer, or why there is none.
func TestAnswerGrantsAndText(t *testing.T) {
	txn, put, get := &pb.TxnRequest{}, &pb.PutRequest{}, &pb.RangeRequest{}
	for _, c := range []struct {
		asked, body proto.Message
		code        codes.Code
		answers     bool
		yes         bool
		text        string
	}{
		{txn, &pb.TxnResponse{Succeeded: true}, codes.OK, true, true, "3 said"},
		{txn, &pb.TxnResponse{}, codes.OK, true, false, "3 said"},
		{txn, nil, codes.Unavailable, true, false, "3 Unavailable: no leader"},
		{put, &pb.PutResponse{}, codes.OK, true, true, "3 said"},
		{put, nil, codes.Unavailable, true, false, "3 Unavailable: no leader"},
		{get, &pb.RangeResponse{}, codes.OK, false, false, "3 said"},
	} {
		a := &answer{request: &request{stream: 3, body: c.asked}, body: c.body, code: c.code, says: "said", why: "no leader"}
		if answers, yes := (*wire)(nil).Grants(a); answers != c.answers || yes != c.yes || a.String() != c.text {
			t.Errorf("%T, %v: %v, %v, %q; want %v, %v, %q", c.asked, c.code, answers, yes, a, c.answers, c.yes, c.text)
		}
	}
}
