// Package forecasts reports environments, and how often locks break in them.
package forecasts
