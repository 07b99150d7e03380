// Package wording has the words that reports share: lists, counts, verdicts and names in sentences, texts of others
// made harmless, and how many columns a text takes.
package wording
