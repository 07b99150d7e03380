// Package reportstest is what the tests of reports and of commands share: golden files. It is public only because the
// tests of cmd and of other modules need it too.
package reportstest
