// Package plots draws the data of campaigns: lines against a parameter, a map over two, survival curves, shares with their
// intervals, and tiles of rows against columns.
//
// Its one idea: a picture is data and a way to put it on a sheet. Whoever has one may ask for it as SVG, PNG or PDF, at
// the width of a column of a journal or as a slide, and for its data as CSV. All are pure functions: the same data gives
// the same bytes. None has a date in it, and none is made of what the machine has.
//
// # Letters
//
// Letters are drawn as outlines, from the Liberation Sans that gonum brings along. So a picture looks the same in every
// browser, viewer and paper, no font is embedded, nothing is clipped, and texts that do not overlap here overlap nowhere.
// What the font lacks is drawn as an empty box.
//
// # Inks
//
// A colour is either an ink, which has a name, or it is just a colour. In SVG an ink is a class, so that a page gives it the
// colour of its theme; each element has the colour for paper besides, for readers that know no classes. Series are told
// apart by colour (Brewer's Dark2, and Set2 on a dark ground), by dashes and by markers, so that each of the three will
// do. A map is of one hue, and its lightness falls evenly, so that it is right in grey.
//
// # What a caller owes
//
// Data may be empty, one point, all alike, or have holes: a NaN is a hole. An axis is logarithmic only where all is above 0.
// Texts of others must be plain: no letters that steer. They are shortened where there is no place for them.
package plots
