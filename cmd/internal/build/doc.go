// Package build names the version of Lockstorm and the build that is running.
package build
