package main

import "github.com/mmcloughlin/avo/build"

func elementwise(c *build.Context) {}
