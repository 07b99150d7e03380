// Package playground is the page on which the simulator runs in its reader's browser: a scenario with its settings and faults
// as controls, and whatever becomes of it drawn by the code that draws reports.
//
// Go writes the page with one run already in it, so that there is something to see before the simulator has come, and where
// none can. The scripts in files do the rest: page.js holds what is run, and shows the answers of the simulator, which lives in
// a worker; timeline.js lets faults be moved on the picture; controls.js makes controls of settings; link.js writes all of it
// into an address; many.js makes many runs, and looks for one that breaks a promise. The answers are those of package
// play, and nothing is judged, drawn or worded here that is elsewhere too.
//
// What a scenario says is never markup: texts are set as texts, pictures are read as XML, and the policy of the page runs no
// script but those beside it.
package playground
