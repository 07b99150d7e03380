// Package svg writes pictures as SVG: elements, texts of a known length, and the document around them.
//
// # Texts
//
// A text element has its length as an attribute: the length that it has in Helvetica or its bold. Whatever font a machine has
// is fitted into that length. So no font is embedded, nothing is clipped, and boxes that do not overlap here overlap nowhere.
// Where a program does not fit letters, as librsvg does not, a style sheet should name fonts that have these widths.
//
// A [Measure] returns how wide a text is. [Fit] shortens a text and [Fold] breaks it into lines, by the measure of any font.
//
// # What a caller owes
//
// Coordinates are finite numbers. Texts may hold anything: those of elements are made plain by wording.Plain, and what XML
// cannot hold is replaced. Attribute names and [Drawing.Raw] are written as they are.
package svg
