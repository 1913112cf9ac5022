// Package dataset reads and writes collections of graphs. [Open] detects the format of a
// file, a folder or standard input from its content, decompresses gzip and zstd, and returns
// a [Reader], which yields one [Record] at a time. [NewWriter] and [Create] write the same
// formats.
//
// # Bad input
//
// A record that cannot be read is reported as a [*BadRecord]. It names the file, line and
// record, what was found, and how to fix it. The Reader can continue with the next record;
// with [Options.SkipBad] it does so by itself.
//
// # Memory
//
// Files are streamed. A Reader holds the vocabulary and one record at a time, of at most
// [Options.MaxRecord] bytes of text.
package dataset
