// Package draw draws a run, in two steps.
//
// First comes a [Scene], which has no places: lanes (clients, the service if one grants the lock, nodes, storage,
// faults), bars on them (what lasts: a hold as believed, its validity as computed, a critical section, a key, a pause),
// points (what happens at one instant: a write, a jump), bands (when a promise is plainly broken) and messages, all in true
// time. No lane shows what its host can't have known: the key of a service is in the lane of the service, and a node shows
// its own copy. An [Excerpt] is the part of a scene that belongs to one violation: its clients, its events, the messages
// that matter. Then each renderer draws them in its own form:
//
//	scene   ─▶ Timeline      lanes as text, to scale, for a terminal
//	        ─▶ TimelineSVG   lanes, to scale
//	        ─▶ Perfetto      Chrome's trace event format
//	excerpt ─▶ SequenceSVG   messages slanted by true time; where nothing happens, time is cut out
//	        ─▶ Mermaid       the same order, without a scale
//
// How bars and points look is in one table, looks.go, which all of them read. timescale.go has the scales of time, and
// picture.go what both painters of SVG draw with; package svg writes it. Colours are those of Okabe and Ito; nothing is shown
// by colour alone.
package draw
