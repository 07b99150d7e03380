package protobuf_test

import (
	"bytes"
	"reflect"
	"testing"

	pb "go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/reports/site/engine/protobuf"
	_ "github.com/lockstorm/lockstorm/sim/simtest"
)

// optional draws a value or none.
func optional[T any](g *rapid.Generator[T]) *rapid.Generator[*T] { return rapid.Ptr(g, true) }

func bytesOrNil() *rapid.Generator[[]byte] {
	return rapid.OneOf(rapid.Just[[]byte](nil), rapid.SliceOfN(rapid.Byte(), 0, 200))
}

func numbers() *rapid.Generator[[]uint64] {
	return rapid.OneOf(rapid.Just[[]uint64](nil), rapid.SliceOfN(rapid.Uint64(), 1, 4))
}

func snapshot(t *rapid.T) *pb.Snapshot {
	n := optional(rapid.Uint64())
	return &pb.Snapshot{Data: bytesOrNil().Draw(t, "data"), Metadata: &pb.SnapshotMetadata{
		Index: n.Draw(t, "index"), Term: n.Draw(t, "term"),
		ConfState: &pb.ConfState{Voters: numbers().Draw(t, "voters"), Learners: numbers().Draw(t, "learners"),
			AutoLeave: optional(rapid.Bool()).Draw(t, "leave")},
	}}
}

func message(t *rapid.T, depth int) *pb.Message {
	n := optional(rapid.Uint64())
	kind := pb.MessageType(rapid.Int32Range(0, 23).Draw(t, "kind"))
	m := &pb.Message{
		Type: &kind, To: n.Draw(t, "to"), From: n.Draw(t, "from"), Term: n.Draw(t, "term"), LogTerm: n.Draw(t, "log"),
		Index: n.Draw(t, "index"), Commit: n.Draw(t, "commit"), Vote: n.Draw(t, "vote"), RejectHint: n.Draw(t, "hint"),
		Reject: optional(rapid.Bool()).Draw(t, "reject"), Context: bytesOrNil().Draw(t, "context"),
	}
	if rapid.Bool().Draw(t, "snap") {
		m.Snapshot = snapshot(t)
	}
	for range rapid.IntRange(0, 3).Draw(t, "entries") {
		e := pb.EntryType(rapid.Int32Range(0, 2).Draw(t, "entry"))
		m.Entries = append(m.Entries, &pb.Entry{Type: &e, Term: n.Draw(t, "term"), Index: n.Draw(t, "index"), Data: bytesOrNil().Draw(t, "data")})
	}
	for i := 0; depth > 0 && i < rapid.IntRange(0, 2).Draw(t, "responses"); i++ {
		m.Responses = append(m.Responses, message(t, depth-1))
	}
	return m
}

func TestMessagesAreTheBytesOfTheLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, m := range []proto.Message{message(t, 2), snapshot(t), &pb.HardState{}, (*pb.Snapshot)(nil),
			&pb.ConfChangeV2{Changes: []*pb.ConfChangeSingle{{NodeId: optional(rapid.Uint64()).Draw(t, "node")}}}} {
			want, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			got, _ := protobuf.Marshal(m)
			if !bytes.Equal(got, want) || protobuf.Size(m) != len(want) || proto.Size(m) != len(want) {
				t.Fatalf("%v is\n%x of %d bytes, want\n%x", m, got, protobuf.Size(m), want)
			}
			other := message(t, 1)
			if o, ok := m.(*pb.Message); ok && protobuf.Equal(m, other) != proto.Equal(o, other) || !protobuf.Equal(m, m) {
				t.Fatalf("%v and %v are as good as equal: %t", m, other, protobuf.Equal(m, other))
			}
			c := protobuf.Clone(m).(proto.Message)
			if !proto.Equal(c, proto.Clone(m)) {
				t.Fatalf("the copy of %v is %v", m, c)
			}
			if reflect.ValueOf(m).IsNil() {
				continue
			}
			back, theirs := m.ProtoReflect().New().Interface(), m.ProtoReflect().New().Interface()
			if err := protobuf.Unmarshal(want, back); err != nil || proto.Unmarshal(want, theirs) != nil || !proto.Equal(back, theirs) {
				t.Fatalf("%v is read as %v (%v)", m, back, err)
			}
		}
	})
}

func TestACopySharesNothing(t *testing.T) {
	one, data := uint64(1), []byte("a")
	m := &pb.Snapshot{Data: data, Metadata: &pb.SnapshotMetadata{Index: &one}}
	c := protobuf.Clone(m).(*pb.Snapshot)
	*m.Metadata.Index, data[0] = 2, 'b'
	if c.GetMetadata().GetIndex() != 1 || string(c.GetData()) != "a" {
		t.Errorf("the copy is changed: %v", c)
	}
}

func TestBytesThatAreNoMessageAreAnError(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
		_ = protobuf.Unmarshal(b, new(pb.Message)) // it does not panic
	})
	for _, b := range []string{"\x80", "\x08", "\x3a\xff", "\x09", "\xf8\x7f\x01"} {
		if protobuf.Unmarshal([]byte(b), new(pb.Message)) == nil {
			t.Errorf("%q is a message", b)
		}
	}
}

func TestEnumsHaveTheNamesOfTheirDescriptor(t *testing.T) {
	file, err := proto.Marshal(protodesc.ToFileDescriptorProto(pb.File_raft_proto))
	if err != nil {
		t.Fatal(err)
	}
	want := []map[int32]string{pb.EntryType_name, pb.MessageType_name, pb.ConfChangeTransition_name, pb.ConfChangeType_name}
	if got := protobuf.Enums(file); !reflect.DeepEqual(got, want) {
		t.Errorf("the enums are\n%v, want\n%v", got, want)
	}
}
