//go:build unix && !linux && !solaris

package stdio

import "syscall"

// dup2 makes to a copy of from.
func dup2(from, to int) error { return syscall.Dup2(from, to) }
