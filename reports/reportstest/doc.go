// Package reportstest is what the tests of reports share: golden files, and a browser that reads pages.
package reportstest
