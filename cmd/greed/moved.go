package main

// movedCommand stands where a command of the laboratory was.
type movedCommand struct {
	Args []string `arg:"" optional:"" passthrough:"" help:"Not looked at."`
}

// Run says where the command is now.
func (movedCommand) Run() error {
	return usageError("measurements and benchmark datasets are a program of their own now: go run ./cmd/greed-lab in the sources of greed (greed bench ged is greed-lab ged, greed dataset get is greed-lab get)")
}
