package report

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strings"
)

// Machine returns what a reader must know of the machine to judge times: the name of its
// processor where the system tells it, the processors that are used, the system and Go.
func Machine() []Fact {
	facts := []Fact{{"Processor", processor()}, {"Processors used", fmt.Sprint(runtime.GOMAXPROCS(0))}}
	return append(facts, Fact{"System", runtime.GOOS + "/" + runtime.GOARCH}, Fact{"Go", runtime.Version()})
}

func processor() string {
	const unknown = "unknown"
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return unknown
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		name, value, ok := strings.Cut(lines.Text(), ":")
		if ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return unknown
}
