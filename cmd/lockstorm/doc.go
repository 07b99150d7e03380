// Command lockstorm lets distributed locks run under faults, and says which of their promises broke, when and why. All
// that it does is in cmd/internal/command.
package main
