// Package pictures draws a run, in two steps.
//
// First comes a [Scene], which knows nothing of paper: lanes (clients, the service if one grants the lock, nodes, storage,
// faults), bars on them (what lasts: a hold as believed, its validity as computed, a critical section, a key, a pause),
// points (what happens at one instant: a write, a jump), bands (when a promise is plainly broken) and messages, all in true
// time. No lane shows what its host can't have known: the key of a service is in the lane of the service, and a node shows
// its own copy. An [Excerpt] is the part of a scene that belongs to one violation: its clients, its events, the messages
// that matter. Then each renderer gives them its own form:
//
//	scene   ─▶ Timeline      lanes in letters, to scale, for a terminal
//	        ─▶ TimelineSVG   lanes, to scale
//	        ─▶ Perfetto      Chrome's trace event format
//	excerpt ─▶ SequenceSVG   messages slanted by true time; where nothing happens, time is cut out
//	        ─▶ Mermaid       the same order, without a scale
//
// SVG has one rule for letters: each text says how long it is, by the widths of Helvetica and its bold, and whatever font a
// machine has is fitted into that. So no font is embedded, nothing is clipped, and boxes that do not overlap here overlap
// nowhere. Where a program fits nothing, as librsvg does not, the fonts that are named have these widths. Colours are those
// of Okabe and Ito; none of them says a thing alone.
package pictures
