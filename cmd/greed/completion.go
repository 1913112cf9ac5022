package main

import "embed"

// completionCommand prints what makes a shell complete command lines.
type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"The shell: bash, zsh or fish."`
}

//go:embed completion
var completionScripts embed.FS

// Help is printed below the usage of the command.
func (completionCommand) Help() string {
	return `
Prints a script that makes a shell complete command lines of greed. It asks the
program itself, so it stays valid when the program changes. Write it to the file where the
shell looks for it:

    greed completion bash    to ~/.local/share/bash-completion/completions/greed
    greed completion zsh     to ~/.zfunc/_greed
    greed completion fish    to ~/.config/fish/completions/greed.fish
`
}

// Run prints the script.
func (c *completionCommand) Run(s *session) error {
	text, err := completionScripts.ReadFile("completion/greed." + c.Shell)
	if err != nil {
		return err
	}
	_, err = s.out.Write(text)
	return err
}
