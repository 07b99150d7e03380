// Package size draws how large faults are, and when they hit, from distributions that a user writes.
//
// A [Dist] is a table of quantiles in whole numbers, made before any run. Floating point makes the table, but each
// quantile is rounded to six digits, so the last bit of a machine's logarithm can't show. From then on whole numbers
// decide: a draw is one number from a Source, a place in the table, and a straight line between two of its entries.
//
// # The text
//
//	constant(3s)                                  always 3s
//	uniform(1ms,10s)                              as often near one end as near the other
//	loguniform(1ms,10s)                           as often from 1ms to 10ms as from 1s to 10s
//	exponential(20ms,10s)                         mean, maximum
//	weibull(20ms,0.7,10s)                         scale, shape, maximum
//	pareto(1ms,1.2,60s)                           minimum, shape, maximum
//	quantiles(0:1ms,0.5:5ms,0.99:80ms,1:3s)       half of all are 5ms or less, and one in a hundred is more than 80ms
//
// Amounts are times, such as 20ms, or parts per million, such as 50ppm; a distribution has one unit. Where all of them
// are whole microseconds, or whole ppm, so are the draws. An exponential, a weibull and a pareto are cut off at their
// maximum: a larger amount is replaced by a new draw, so the mean is smaller than without the maximum. Amounts may be
// negative in constant, uniform and quantiles. A part of a distribution has the shares at which it begins and ends:
// pareto(1ms,1.2,60s)[0.99..1] is the largest hundredth.
//
// [Parse] reads that text, and Parse(d.String()) returns d again. A [Line] is a line of a schedule with distributions
// in it.
package size
