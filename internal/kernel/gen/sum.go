package main

import "github.com/mmcloughlin/avo/build"

func sums(c *build.Context) {}
