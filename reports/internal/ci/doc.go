// Package ci writes a suite in the forms that CI systems read: JUnit, and GitHub's annotations.
package ci
