package main

import "embed"

// completionCommand prints what makes a shell complete command lines.
type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"The shell: bash, zsh or fish."`
}

//go:embed completion
var completionScripts embed.FS

// Run prints the script.
func (c *completionCommand) Run(s *session) error {
	text, err := completionScripts.ReadFile("completion/greed." + c.Shell)
	if err != nil {
		return err
	}
	_, err = s.out.Write(text)
	return err
}
