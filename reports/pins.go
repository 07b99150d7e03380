//go:build pins

package reports

// The figures of campaigns will be drawn with gonum/plot. Until they are, this keeps its version pinned.
import _ "gonum.org/v1/plot"
