// Package plot draws the data of campaigns: [Lines] with bands against a parameter or time, [Heat] maps and tables of shares
// over two, and [Intervals] of shares. gonum draws axes, lines, markers and maps; what is here is what gonum lacks: panels,
// labels that fit into their room, legends that break into lines, an SVG for strict pages and dark themes, and outlines.
//
// Its one idea: a picture is data and a way to draw it. It can be had as SVG, PNG or PDF, at the width of a column of a
// journal or as a slide, and its data as CSV. All are pure functions: the same data makes
// the same bytes. None has a date in it, and none depends on the machine.
//
// # Letters
//
// In SVG and PDF letters are drawn as outlines, of the Liberation Sans that gonum has in it. So a picture looks the same in
// every browser, viewer and paper, no font is embedded, nothing is clipped, and texts that do not overlap here overlap
// nowhere. What the font lacks is drawn as an empty box. With [Size.RealText] they are letters, which can be searched.
//
// # Colours
//
// Some colours have a name. In SVG the name is a class, so that a page can give it the colour of its theme; each element also
// has the colour for paper, for programs that know no classes. Series differ by colour (Brewer's Dark2, and Set2 on a dark
// ground), by dashes and by markers, so that each of the three is enough. A map has one hue whose lightness falls evenly, so
// that it can be read in grey.
//
// # What a caller owes
//
// Data may be empty, one point, all alike, or have holes: a NaN is a hole. An axis is logarithmic only where all is above 0.
// Texts of others must be plain: no control characters. They are shortened where there is no room.
package plot
