// Package reportstest is what the tests of reports and of commands share: golden files and scenarios. It is
// public only because those of cmd need it too.
package reportstest
