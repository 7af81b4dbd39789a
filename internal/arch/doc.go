// Package arch knows the rules of the house that a machine can check, and checks them on the parsed source of the
// module: which package may import which, what the core may not do, where dated strings and legacy code stand, what is
// documented, how large things are, and what the exported surface is. Every finding is a [Breach] that says which rule
// was broken and what to do about it.
//
// The checks read syntax and the objects of the package itself; they do not need the module to compile, so they work on
// a tree that is half written. Only the exported surface ([Surface], [Outsiders]) needs type-checked packages.
//
// This package does not read the disk (callers pass an fs.FS), does not run the go command and does not change a file:
// its tests do.
package arch
