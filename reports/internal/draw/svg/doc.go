// Package svg writes pictures as SVG: elements, texts of a known length, and the document around them.
//
// # Texts
//
// A text element has its length as an attribute: its length in Helvetica or its bold. A viewer fits its own font into
// that length. So no picture embeds a font, nothing is clipped, and boxes that don't overlap here overlap nowhere. Some
// programs don't fit letters, as librsvg. For them a style sheet should name fonts that have these widths.
//
// A [Measure] returns the width of a text. [Measure.Fit] shortens a text and [Measure.Fold] breaks it into lines, in
// any font.
//
// # Rules for callers
//
// Coordinates are finite numbers. Texts may contain anything: wording.Plain makes the texts of elements plain, and
// Escape replaces what XML can't contain. Attribute names and [Drawing.Raw] are written as they are.
package svg
