// Package browsertest opens pages in a browser, for tests: it notices what a page should not do, and which texts are
// too faint. Its tests open the pages that the root module makes.
package browsertest
