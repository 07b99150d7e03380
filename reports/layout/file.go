package layout

// A File is one file of a stored result.
type File struct {
	Name    string
	Content []byte
}
