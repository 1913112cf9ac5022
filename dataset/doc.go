// Package dataset opens collections of graphs. [Open] detects the format of a file, a
// folder or standard input by its content, decompresses gzip and zstd, and returns a
// [Reader] that yields one [Record] at a time. [NewWriter] and [Create] write the same
// formats.
//
// # Bad input
//
// A record that cannot be read is reported as a [*BadRecord], which names the file, the
// line and the record, what was found, and what to do about it. The Reader can continue
// with the next record, and does so by itself with [Options.SkipBad].
//
// # Memory
//
// Files are streamed. A Reader holds one record at a time, of at most
// [Options.MaxRecord] bytes of text, and the label vocabulary.
package dataset
