// Package hub is the place through which one goroutine tells another that something happened: who waits for which event,
// what has gathered for each waiter, and when to wake it.
//
// Events are values that a bus between processes could carry. A waiter subscribes to topics; what is published on them
// gathers in its subscription, each topic at most once, until it takes it. A slow waiter therefore costs a bounded amount
// and slows nobody down. Publishing touches the waiters of its own topic only.
//
// This package does not start goroutines, do I/O, read a clock, keep events that nobody waited for, or know what a message,
// a session or a transport is.
package hub
