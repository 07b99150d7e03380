package engine

import (
	"embed"
	"os"
	"path"
	"path/filepath"
)

//go:embed protobuf/message.go
var message embed.FS

// protobufs are the packages of google.golang.org/protobuf that raft and its generated code name, with only the parts
// that they name. Package protobuf does all of their work; it lies below them as internal/message.
var protobufs = map[string]string{
	"go.mod": "module google.golang.org/protobuf\n\ngo 1.26\n",
	"proto/proto.go": `package proto

import (
	"google.golang.org/protobuf/internal/message"
	"google.golang.org/protobuf/reflect/protoreflect"
)

type Message = protoreflect.ProtoMessage

func Marshal(m Message) ([]byte, error)   { return protobuf.Marshal(m) }
func Unmarshal(b []byte, m Message) error { return protobuf.Unmarshal(b, m) }
func Size(m Message) int                  { return protobuf.Size(m) }
func Clone(m Message) Message             { return protobuf.Clone(m).(Message) }
func Equal(a, b Message) bool             { return protobuf.Equal(a, b) }
`,
	"reflect/protoreflect/protoreflect.go": `package protoreflect

type (
	Message        interface{}
	ProtoMessage   interface{ ProtoReflect() Message }
	EnumNumber     int32
	EnumType       interface{ Descriptor() EnumDescriptor }
	EnumDescriptor interface{ Name(EnumNumber) string }
	FileDescriptor interface{}
)
`,
	"runtime/protoimpl/protoimpl.go": `package protoimpl

import (
	"errors"
	"reflect"
	"strconv"
	"unsafe"

	"google.golang.org/protobuf/internal/message"
	"google.golang.org/protobuf/reflect/protoreflect"
)

const (
	MinVersion = 20
	MaxVersion = 20
)

type (
	EnforceVersion uint
	UnknownFields  = []byte
	SizeCache      = int32
	Pointer        = unsafe.Pointer
	MessageState   struct{}
	MessageInfo    struct{}
	EnumInfo       struct{ names map[int32]string }
)

func (*MessageState) StoreMessageInfo(*MessageInfo) {}
func (*MessageState) LoadMessageInfo() *MessageInfo  { return nil }

func (*MessageInfo) MessageOf(any) protoreflect.Message { return nil }

func (e *EnumInfo) Descriptor() protoreflect.EnumDescriptor { return e }

func (e *EnumInfo) Name(n protoreflect.EnumNumber) string {
	if name, ok := e.names[int32(n)]; ok {
		return name
	}
	return strconv.Itoa(int(n))
}

type (
	DescBuilder struct {
		GoPackagePath                                    string
		RawDescriptor                                    []byte
		NumEnums, NumMessages, NumExtensions, NumServices int32
	}
	TypeBuilder struct {
		File              DescBuilder
		GoTypes           []any
		DependencyIndexes []int32
		EnumInfos         []EnumInfo
		MessageInfos      []MessageInfo
	}
	Built struct{ File protoreflect.FileDescriptor }
)

func (b TypeBuilder) Build() Built {
	for i, names := range protobuf.Enums(b.File.RawDescriptor) {
		b.EnumInfos[i].names = names
	}
	return Built{b.File.GoPackagePath}
}

type impl struct{}

var X impl

func (impl) MessageStateOf(p Pointer) *MessageState { return (*MessageState)(p) }

func (impl) MessageStringOf(m any) string { return reflect.TypeOf(m).String() }

func (impl) EnumStringOf(e protoreflect.EnumDescriptor, n protoreflect.EnumNumber) string { return e.Name(n) }

func (impl) UnmarshalJSONEnum(protoreflect.EnumDescriptor, []byte) (protoreflect.EnumNumber, error) {
	return 0, errors.New("protobuf: this build reads no JSON")
}

func (impl) CompressGZIP(b []byte) []byte { return b }
`,
}

// writeProtobuf writes the module that replaces google.golang.org/protobuf.
func writeProtobuf(dir string) error {
	module := filepath.Join(dir, "protobuf")
	text, err := message.ReadFile("protobuf/message.go")
	if err != nil {
		return err
	}
	files := map[string]string{"internal/message/message.go": string(text)}
	for name, text := range protobufs {
		files[name] = text
	}
	for name, text := range files {
		file := filepath.Join(module, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Join(module, filepath.FromSlash(path.Dir(name))), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
