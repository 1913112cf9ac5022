// Package archtest holds, as tests, the rules about the packages of this
// module that no compiler checks: which may import which, where assembly and
// unsafe may be, what must run at start, and what NOTICE names.
package archtest
