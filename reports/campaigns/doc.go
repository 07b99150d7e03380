// Package campaigns reports many runs: a tally of one scenario, a search for violations or for mutants, a sweep, the
// matrix of locks and faults, and the page of a campaign with its charts.
//
// A campaign's rows add up to a campaign.Survey, which is counts. Of that [charts] makes pictures, which package plot
// draws, and [stored.Document] a report that holds them. Which charts there are follows from the cells alone.
package campaigns
