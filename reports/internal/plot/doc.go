// Package plot draws the data of campaigns: [Lines] with bands against a parameter or time, [Heat] tables of
// shares over two parameters, and [Intervals] of shares. gonum draws axes, lines and markers. This package adds panels,
// labels cut to their room, legends of several lines, an SVG for strict pages and dark themes, and letters as outlines.
//
// A [Picture] is data and a way to draw it. It can be SVG, PNG or PDF, as wide as the column of a journal or a slide,
// and its data CSV. Each form is a pure function: the same data yields the same bytes, without a date, on any machine.
//
// # Letters
//
// SVG and PDF have letters as outlines of Liberation Sans, which gonum contains. So a picture looks the same in every
// browser, viewer and paper, embeds no font and clips nothing, and texts that don't overlap here overlap nowhere. A
// letter that the font lacks is an empty box.
//
// # Colours
//
// Some colours have a name. In SVG the name is a class, so that a page can set the colour of its theme; each element
// also has the colour for paper, because some programs ignore classes. Series differ by colour (Brewer's Dark2, and
// Set2 on a dark ground), by dashes and by markers; each of the three is enough. A map has one hue whose lightness
// falls evenly, so that it is readable in grey.
//
// # Rules for callers
//
// Data may be empty, one point, all equal, or have holes: a NaN is a hole. An axis is logarithmic only if all values
// are above 0. Texts must have no control characters. They are shortened to their room.
package plot
