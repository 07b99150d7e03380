// Package draw draws a run, in two steps.
//
// First comes a [Scene], without places: lanes (clients, the service if one grants the lock, nodes, storage, faults),
// bars on them for things that last (a hold as believed, its validity as computed, a critical section, a key, a pause),
// points for instants (a write, a jump), bands for the windows of violations, and messages, all in true time. No lane
// shows what its host can't have known: the key of a service is in the lane of the service, and a node shows its own
// copy. An [Excerpt] is the part of a scene that belongs to one violation: its clients, its events, the messages that
// matter. Then each renderer draws them in its own form:
//
//	scene   ─▶ Timeline      lanes as text, to scale, for a terminal
//	        ─▶ TimelineSVG   lanes, to scale
//	excerpt ─▶ SequenceSVG   messages slanted by true time; time without events is cut out
//
// The table in looks.go says how bars and points look in all of them. timescale.go has the scales of time, and
// picture.go the parts that both renderers of SVG share; package svg writes it. Colours come from Okabe and Ito; no
// sign differs by colour alone.
package draw
