// Package reports puts results before people and machines: as text for a terminal, as JSON, as the files of a store.
// A [Suite] is what many scenarios came to, and has forms that CI systems read besides: Markdown, JUnit, annotations.
//
// Every report is a pure function of results: the same result gives the same bytes. A text is one of a [Screen] besides,
// which says how wide it is and whether it has colours; a file is the zero Screen. First stands what broke, when, who broke
// it and after what; then a timeline in letters, of the same scene as the pictures below; then why.
//
// # Pictures
//
// A run is drawn in two steps. First comes a scene, which knows nothing of paper: lanes (clients, the service if one grants
// the lock, nodes, storage, faults), bars on them (what lasts: a hold as believed, its validity as computed, a critical
// section, a key, a pause), points (what happens at one instant: a write, a jump), bands (when it is plain that a promise is
// broken) and messages, all in true time. No lane shows what its host can't have known: the key of a service stands in the
// lane of the service, and a node shows its own copy. An excerpt is the part of a scene that tells one violation: its clients, its moments, the messages that matter.
// Then each renderer gives them its own form:
//
//	scene   ─▶ TimelineSVG   lanes, to scale
//	        ─▶ Perfetto      Chrome's trace event format
//	        ─▶ HTML          all of it, for people
//	excerpt ─▶ SequenceSVG   messages slanted by true time; where nothing happens, time is cut out
//	        ─▶ Mermaid       the same order, without a scale
//
// A drawing is SVG with one rule for letters: each text says how long it is, by the widths of Helvetica and its bold, and
// whatever font a machine has is fitted into that. So no font is embedded, nothing is clipped, and boxes that do not overlap
// here overlap nowhere. Where a program fits nothing, as librsvg does not, the fonts that are named have these widths.
// Colours are those of Okabe and Ito; none of them says a thing alone.
//
// # Campaigns
//
// Of a campaign's rows comes a campaign.Survey, which is counts; of that come Charts, pictures that reports/plots draws,
// and CampaignHTML, a page that holds them. Which charts there are follows from the cells alone.
//
// Texts of others, such as titles and names, pass through plain before they are drawn, and are escaped by whoever writes
// them. A page allows its one style and its one script by their hashes, and nothing from outside.
//
// # The debate
//
// An [Argument] is prose about the debate on Redlock with an [Assertion] wherever a sentence says what happens. A [Debate] is
// an argument with the runs of its steps. DebateHTML puts in the place of each assertion what the runs say, and
// Debate.Wrong tells where they contradict it: so no sentence can say what no run has shown.
package reports
