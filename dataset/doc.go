// Package dataset opens collections of graphs: one function, [Open], tells the
// format of a file, a folder or standard input by its content, undoes gzip and
// zstd, and returns a [Reader] that yields one [Record] at a time. Writers for
// the same formats are made with [NewWriter] and [Create].
//
// # Bad input
//
// Every record that cannot be read is reported as a [*BadRecord], which names
// the file, the line and the record and says what was found and what to do
// about it. The Reader can go on with the record after it, and does so by
// itself under [Options.SkipBad].
//
// # Memory
//
// Files are streamed. A Reader holds one record at a time, of at most
// [Options.MaxRecord] bytes of text, plus the label vocabulary.
package dataset
