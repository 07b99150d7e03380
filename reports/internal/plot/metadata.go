package plot

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// withDPI writes into a PNG how many of its pixels are an inch, so that programs place it at its size.
func withDPI(png []byte, dpi int) []byte {
	const before = 8 + 4 + 4 + 13 + 4 // the signature and the head, after which it must stand
	perMetre := uint32(float64(dpi)/0.0254 + 0.5)
	chunk := binary.BigEndian.AppendUint32([]byte("pHYs"), perMetre)
	chunk = append(binary.BigEndian.AppendUint32(chunk, perMetre), 1) // 1 is metres
	all := binary.BigEndian.AppendUint32(bytes.Clone(png[:before]), uint32(len(chunk)-4))
	all = append(all, chunk...)
	all = binary.BigEndian.AppendUint32(all, crc32.ChecksumIEEE(chunk))
	return append(all, png[before:]...)
}

// What a PDF says of itself at its end, and where.
var (
	pdfInfo = regexp.MustCompile(`/Info (\d+) 0 R`)
	pdfRoot = regexp.MustCompile(`/Root \d+ 0 R`)
	pdfSize = regexp.MustCompile(`/Size \d+`)
	pdfXref = regexp.MustCompile(`startxref\n(\d+)`)
)

// titled adds a title to a PDF, as an update at its end: gonum has no way to set one. A PDF whose end is another than gonum
// writes stays as it is.
func titled(pdf []byte, title string) []byte {
	info, root, size, xref := pdfInfo.FindSubmatch(pdf), pdfRoot.Find(pdf), pdfSize.Find(pdf), pdfXref.FindSubmatch(pdf)
	if info == nil || root == nil || size == nil || xref == nil || title == "" {
		return pdf
	}
	_, dict, found := bytes.Cut(pdf, []byte("\n"+string(info[1])+" 0 obj\n<<"))
	if !found {
		return pdf
	}
	dict, _, _ = bytes.Cut(dict, []byte(">>"))
	var all bytes.Buffer
	all.Write(pdf)
	if !bytes.HasSuffix(pdf, []byte("\n")) {
		all.WriteByte('\n')
	}
	object := all.Len()
	fmt.Fprintf(&all, "%s 0 obj\n<<%s/Title <%s>\n>>\nendobj\n", info[1], dict, utf16Hex(title))
	table := all.Len()
	fmt.Fprintf(&all, "xref\n%s 1\n%010d 00000 n \ntrailer\n<<\n%s\n%s\n%s\n/Prev %s\n>>\nstartxref\n%d\n%%%%EOF\n", info[1], object, size, root, info[0], xref[1], table)
	return all.Bytes()
}

// utf16Hex returns a text as PDF wants one that is not ASCII.
func utf16Hex(s string) string {
	var b strings.Builder
	b.WriteString("FEFF")
	for _, u := range utf16.Encode([]rune(s)) {
		b.WriteString(strings.ToUpper(fmt.Sprintf("%04s", strconv.FormatUint(uint64(u), 16))))
	}
	return b.String()
}

// lettered is a canvas of PDF on which letters are those of an embedded font. gonum embeds 256 of them, Windows' Western ones; a
// text that has another is drawn as outlines.
type lettered struct{ outlined }

// FillString draws a text.
func (l lettered) FillString(f font.Face, at vg.Point, s string) {
	if bytes, all := western(s); all {
		l.Canvas.FillString(f, at, bytes)
		return
	}
	l.outlined.FillString(f, at, s)
}

// westernOnly are the letters of Windows-1252 that have another code than in Unicode, and the minus, for which it has a dash.
var westernOnly = map[rune]byte{'€': 0x80, '…': 0x85, '‘': 0x91, '’': 0x92, '“': 0x93, '”': 0x94, '•': 0x95, '–': 0x96, '—': 0x97, '−': 0x96}

// western returns a text in Windows-1252, and reports whether that has all of it.
func western(s string) (string, bool) {
	var b strings.Builder
	for _, r := range s {
		code, has := westernOnly[r]
		switch {
		case r < 0x80 || r >= 0xa0 && r <= 0xff:
			code = byte(r)
		case !has:
			return "", false
		}
		b.WriteByte(code)
	}
	return b.String(), true
}
