// Package layout puts words in their places: on a screen of a given width, in Markdown and on a page.
//
// Its one idea: a report says what it says once, and layout gives it a form. A [Screen] is plain data, so the same words on
// the same screen are the same bytes; the zero Screen is a file. Texts of others, such as titles and names, pass through
// [Plain] or [PlainLong] before they are shown anywhere, and are escaped where the form is written.
package layout
