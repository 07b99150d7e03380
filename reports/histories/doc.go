// Package histories reports what the models of checker say of a recorded history, whoever recorded it.
package histories
