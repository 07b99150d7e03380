// Package play answers a playground: a page where users change a scenario and immediately see the effect on its
// promises.
//
// [Program.Call] is a pure function from a request to an answer, both of them JSON. So the page holds only the state
// that it shows, a link can hold all of it, and the program compiled to WebAssembly returns the same bytes as the
// native one. The packages behind the command compute everything; this package only puts it into answers.
//
// # Words
//
// A setup says what to run: a scenario of the catalogue by its ID or a file as text, a schedule to replace the
// scenario's if given, settings as --set takes them, in that order, and a seed. Where a scenario has a search, the
// seed picks its universe, as in lockstorm run. A problem is what is wrong with a setup, and where: in the file, in
// the schedule, in the settings.
//
// Instants and durations are whole nanoseconds of true time, as numbers, and text where they are only shown.
//
//	call    request                                   answer
//	about   {}                                        scenarios, promises, kinds of faults
//	open    {setup}                                   the file, its problems, settings, schedule and what it expects
//	run     {setup}                                   problems, or the run: verdicts, stories, and pictures
//	report  {setup}                                   the whole report, as text
//	decide  {setup}                                   when its worst violation was decided, and a timeline with that
//	state   {setup, t}                                what each host had and believed at that instant of the timeline
//	move    {setup, line, from, to}                   the schedule with the fault of a line moved, as by dragging
//	many    {setup, first, runs, counts}              counts of many seeds, on top of those so far
//	fuzz    {setup, property, first, runs}            the first seed that breaks a promise, and the setup that it draws
//	shrink  {setup, property, tries, at, runs}        a simpler setup, and where to continue
//
// An answer is {"error": {"message", "where", "line", "column"}} if there is none: where the request is wrong, where a
// setup has problems and the call is not about them. The source has a struct for each request and answer, with the
// meaning of every field.
//
// # What is not here
//
// A run that reaches 300,000 events and steps ends and is rejected, because its trace would fill the memory of a page.
// The error has the command that makes the run on a machine. A scenario's own limits are reported as everywhere.
//
// # Rules for callers
//
// Calls one after another. A panic in a run is a defect of Lockstorm's own; it becomes an error that says so, and the
// Program may be asked again.
package play
