package archive

import (
	"errors"

	"github.com/klauspost/compress/zstd"
)

// A Compressor packs texts, always into the same bytes. It is for one goroutine at a time.
type Compressor struct {
	packer *zstd.Encoder
	opener *zstd.Decoder
}

// NewCompressor returns a Compressor that opens what comes to no more than so many bytes.
func NewCompressor(most uint64) Compressor {
	packer, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderCRC(true), zstd.WithWindowSize(1<<20), zstd.WithLowerEncoderMem(true))
	opener, bad := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(most))
	if err = errors.Join(err, bad); err != nil {
		panic("archive: " + err.Error()) // the options are sound
	}
	return Compressor{packer, opener}
}

// Pack appends a packed text.
func (c *Compressor) Pack(dst, text []byte) []byte { return c.packer.EncodeAll(text, dst) }

// Unpack appends the text that was packed.
func (c *Compressor) Unpack(dst, packed []byte) ([]byte, error) {
	return c.opener.DecodeAll(packed, dst)
}
