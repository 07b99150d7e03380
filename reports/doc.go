// Package reports puts results before people and machines: as text for a terminal, as JSON, as the files of a store.
// A [Suite] is what many scenarios came to, and has forms that CI systems read besides: Markdown, JUnit, annotations.
//
// Every report is a pure function of results: the same result gives the same bytes.
//
// # Pictures
//
// A run is drawn in two steps. First comes a scene, which knows nothing of paper: lanes (clients, nodes, storage, faults),
// bars on them (what lasts: a hold as believed, its validity as computed, a critical section, a key, a pause), points (what
// happens at one instant: a write, a jump), bands (when it is plain that a promise is broken) and messages, all in true
// time. An excerpt is the part of a scene that tells one violation: its clients, its moments, the messages that matter.
// Then each renderer gives them its own form:
//
//	scene   ─▶ TimelineSVG   lanes, to scale
//	        ─▶ Perfetto      Chrome's trace event format
//	        ─▶ HTML          all of it, for people
//	excerpt ─▶ SequenceSVG   messages slanted by true time; where nothing happens, time is cut out
//	        ─▶ Mermaid       the same order, without a scale
//
// A drawing is SVG with one rule for letters: each text says how long it is, by the widths of Helvetica, and whatever font
// a machine has is fitted into that. So no font is embedded, nothing is clipped, and boxes that do not overlap here overlap
// nowhere. Colours are those of Okabe and Ito; none of them says a thing alone.
//
// # Campaigns
//
// Of a campaign's rows comes a campaign.Survey, which is counts; of that come Charts, pictures that reports/plots draws,
// and CampaignHTML, a page that holds them. Which charts there are follows from the cells alone.
//
// Texts of others, such as titles and names, pass through plain before they are drawn, and are escaped by whoever writes
// them. A page allows its one style and its one script by their hashes, and nothing from outside.
package reports
