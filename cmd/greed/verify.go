package main

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	greed "github.com/greedgraph/greed"
)

type verifyCommand struct {
	File string `arg:"" help:"A certificate."`
}

// Run checks a certificate and says what it proves.
func (c *verifyCommand) Run(s *session) error {
	f, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer f.Close()
	proof, err := greed.Verify(s.ctx, bufio.NewReader(f))
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	if s.json {
		return s.out.printJSON(proof)
	}
	if proof.Set != nil {
		if _, err := fmt.Fprintf(s.out, "proven: %s\n", proof.Set.Claim); err != nil {
			return err
		}
	}
	others := make(map[string]int)
	for _, p := range proof.Pairs {
		if proof.Set != nil && !p.Answer {
			others[p.Bound]++
			continue
		}
		value := fmt.Sprintf("at least %s", number(p.Lower))
		if p.Upper != nil {
			value = between(p.Lower, *p.Upper)
		}
		if len(p.Fixed) > 0 {
			value += fmt.Sprintf(" with %s of nodes fixed", count(len(p.Fixed), "pair"))
		}
		if _, err := fmt.Fprintf(s.out, "proven: %s of %s and %s is %s\n", strings.ToUpper(p.Task),
			strconv.Quote(p.Query),
			strconv.Quote(p.Target), value); err != nil {
			return err
		}
	}
	for _, bound := range slices.Sorted(maps.Keys(others)) {
		if _, err := fmt.Fprintf(s.out, "proven: %d others are farther, or as far, by %s\n", others[bound],
			bound); err != nil {
			return err
		}
	}
	return nil
}
