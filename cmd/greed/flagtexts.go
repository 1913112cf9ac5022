package main

import _ "embed"

// flagTexts has the help of flags and arguments that is too long for a tag, as package help reads it. A name that a
// tag has and the file lacks is an error of kong.
//
//go:embed flags.txt
var flagTexts string
