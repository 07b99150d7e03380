// Package playground is the page on which the simulator runs in its reader's browser. It has a scenario with its
// settings and faults as controls, and shows the effects with the code that draws reports.
//
// Go writes the page with one run already in it, so that there is something to see before the simulator has loaded,
// and where none can. The scripts in files do the rest: page.js holds what is run, and shows the answers of the
// simulator, which lives in a worker; timeline.js lets users move faults on the picture; controls.js makes controls of
// settings; link.js writes all of it into an address; many.js makes many runs, and looks for one that breaks a
// promise; tour.js leads through the debate, play.js plays a run, and export.js saves its picture. The answers come
// from package play, and the page leaves all judging, drawing and wording that exists elsewhere to that code.
//
// The text of a scenario is never markup: texts are set as texts, pictures are read as XML, and the policy of the page
// runs no script but the page's files.
package playground
