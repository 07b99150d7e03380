// Package metrics adds up runs as what an operator would put alerts on, in the format OpenMetrics.
package metrics
