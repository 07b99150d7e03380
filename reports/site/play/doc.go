// Package play answers a playground: a page on which somebody changes a scenario and sees at once what becomes of its promises.
//
// The one idea: [Program.Call] is a pure function from a request to an answer, both of them JSON. So the page holds no state but
// what stands on it, a link can hold all of that, and the program that is compiled to WebAssembly says the same bytes as one
// that is not. All that is computed is computed by the packages that the command uses; here it is only put into answers.
//
// # Words
//
// A setup is what is run: a scenario of the catalogue by its ID or a file as text, the schedule in place of its own if there is
// one, settings as --set takes them, in that order, and a seed. Where a scenario has a search, the seed draws its universe, as
// lockstorm run does. A problem is what is wrong with a setup, and where: in the file, in the schedule, in the settings.
//
// Instants and durations are whole nanoseconds of true time, as numbers, and text where they are only shown.
//
//	call    request                                   answer
//	about   {}                                        version, scenarios, promises, kinds of faults
//	open    {setup}                                   the file, its problems, settings, schedule and what it expects
//	run     {setup}                                   problems, or the run: verdicts, stories, pictures and where they show what
//	report  {setup}                                   the whole report, as text
//	state   {setup, t}                                what each host had and believed at that instant of the timeline
//	move    {setup, line, from, to}                   the schedule with the fault of a line moved, as if it had been dragged
//	many    {setup, first, runs, counts}              counts of many seeds, on top of those so far
//	fuzz    {setup, property, first, runs}            the first seed that breaks a promise, and the setup that it draws
//	shrink  {setup, property, tries, at, runs}        a simpler setup, and where to go on
//
// An answer is {"error": {"message", "where", "line", "column"}} if there is none: where the request is wrong, where a setup has
// problems and the call is not about them. The source has a struct for each request and answer, with the meaning of every field.
//
// # What is not here
//
// A run ends after 300,000 events and steps, and is refused then: its trace would fill the memory of a page. The command that
// makes it on a machine is a part of the error. What a scenario itself bounds is reported as everywhere.
//
// # What the caller owes
//
// Calls one after another. A panic in a run is a defect of Lockstorm's own; it becomes an error that says so, and the Program may
// be asked again.
package play
