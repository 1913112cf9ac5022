//go:build !amd64 || noasm

package kernel

const (
	best       = Generic
	noAssembly = "kernel: there is no assembly"
)
