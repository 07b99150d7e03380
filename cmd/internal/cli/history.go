package cli

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/lockstorm/lockstorm/checker/codec"
)

// ErrUnopened is the error of a history that can't be opened.
var ErrUnopened = errors.New("can't be read")

// ReadHistory reads a recorded history, plain or compressed; - is the standard input. Where the indices of a file fall,
// it reads the file once more and puts the ops in order, which takes the memory of the whole file.
func ReadHistory(file string, in io.Reader, how codec.Reading) (*codec.Recording, error) {
	if file == "-" {
		r, err := readPacked(in, how)
		if errors.Is(err, codec.ErrUnsorted) {
			err = fmt.Errorf("%w; a file is put in order, the standard input is not", err)
		}
		return r, err
	}
	for {
		f, err := os.Open(file)
		if err != nil {
			return nil, fmt.Errorf("%s %w: %w", file, ErrUnopened, errors.Unwrap(err))
		}
		r, err := readPacked(f, how)
		f.Close()
		if how.Sort || !errors.Is(err, codec.ErrUnsorted) {
			return r, err
		}
		how.Sort = true
	}
}

func readPacked(in io.Reader, how codec.Reading) (*codec.Recording, error) {
	in, err := unpack(in)
	if err != nil {
		return nil, fmt.Errorf("1:1: %w", err)
	}
	return how.Read(in)
}

// unpack returns what a file holds, decompressed if its first bytes say that it is compressed.
func unpack(in io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(in, 1<<16)
	magic, err := b.Peek(4)
	switch {
	case err != nil && err != io.EOF:
		return nil, fmt.Errorf("can't be read: %w", err)
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, fmt.Errorf("found gzip that can't be read: %w", err)
		}
		return z, nil
	case bytes.Equal(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return nil, errors.New(`found zstd, and want plain text or gzip; unpack it first: "zstd -d FILE"`)
	}
	return b, nil
}
