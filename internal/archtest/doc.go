// Package archtest holds, as tests, the rules about the packages of this module that no
// compiler checks: which packages may import which, where assembly and unsafe may be, what
// may run at start, and what NOTICE must name.
package archtest
