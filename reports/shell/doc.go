// Package shell writes commands as a shell reads them.
//
// A report ends with the command that repeats it, and a reader pastes that. So each word is quoted where a shell would
// change it, and invisible characters in it become numbers: no reader pastes what they could not see.
package shell
