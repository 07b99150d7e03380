// Package oracle judges histories slowly, in the most obvious way, to hold the judges of checker against.
//
// It shares nothing with them but the History and the Model's numbers: it has the models' tables in code of its own, it
// leaves no operation out, it judges all locks at once, and where time matters it lets it tick. It tries whatever could
// have been, one operation after another, and remembers only where it has been before. So it is exponential, and meant
// for histories of up to 63 operations.
//
// Draw makes histories to try it on: those of a correct lock or register, some of them spoilt. Every makes all small
// ones. Compare puts both together and counts: the number to see is that of disagreements, 0.
package oracle
