// Package size draws how large faults are, and when they strike, from distributions that a user writes down.
//
// A [Dist] is a table of quantiles in whole numbers, made once, before any run. Floating point makes the table, each quantile
// is rounded to six digits, so that no machine has another last bit, and from then on whole numbers decide: a draw is one
// number from a Source, a place in the table, and a line between two of its entries.
//
// # The text
//
//	constant(3s)                                  always that
//	uniform(1ms,10s)                              as often near one end as near the other
//	loguniform(1ms,10s)                           as often from 1ms to 10ms as from 1s to 10s
//	exponential(20ms,10s)                         mean, most
//	weibull(20ms,0.7,10s)                         scale, shape, most
//	pareto(1ms,1.2,60s)                           least, shape, most
//	quantiles(0:1ms,0.5:5ms,0.99:80ms,1:3s)       half of all are 5ms or less, and one in a hundred is more than 80ms
//
// Amounts are times, such as 20ms, or parts per million, such as 50ppm; in one distribution all are of one unit. Where all of
// them are whole microseconds, or whole ppm, so are the draws. An exponential, a weibull and a pareto are cut off at their most:
// what would be more is drawn again, so the mean is less than it would be without. Amounts may be negative in constant, uniform
// and quantiles. A part of a distribution has the shares at which it begins and ends: pareto(1ms,1.2,60s)[0.99..1] is the
// largest hundredth.
//
// [Parse] reads that text, and Parse(d.String()) returns d again. [Read] makes quantiles from a file: a list, or the
// percentiles that HdrHistogram prints.
//
// [Line] draws faults with it: see there.
package size
