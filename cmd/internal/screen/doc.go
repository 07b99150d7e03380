// Package screen adapts what is printed to the terminal it is printed on: its width and whether it shows colours.
package screen
