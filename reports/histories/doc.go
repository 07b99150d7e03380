// Package histories reports the verdicts of the models of checker/blackbox on a recorded history.
package histories
