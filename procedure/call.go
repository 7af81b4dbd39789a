package procedure

import (
	"context"
	"reflect"
	"sync"
)

// call runs the procedure. in has room for one more value.
func (s *signature) call(ctx context.Context, in []reflect.Value) ([]reflect.Value, error) {
	if s.done != nil {
		return s.await(ctx, in)
	}
	var out []reflect.Value
	if s.fn.Type().IsVariadic() {
		out = s.fn.CallSlice(in)
	} else {
		out = s.fn.Call(in)
	}
	return s.split(out)
}

// split takes the error off the results.
func (s *signature) split(out []reflect.Value) ([]reflect.Value, error) {
	if !s.fails {
		return out, nil
	}
	last := len(out) - 1
	if err := out[last]; !err.IsNil() {
		return nil, err.Interface().(error)
	}
	return out[:last], nil
}

// await starts an asynchronous procedure and waits for its results, or for the end of the context.
func (s *signature) await(ctx context.Context, in []reflect.Value) ([]reflect.Value, error) {
	o := &outcome{ready: make(chan struct{})}
	defer o.abandon() // a procedure that panics brings nothing either
	started := s.fn.Call(append(in, reflect.MakeFunc(s.done, o.take)))
	if s.startFails && !started[0].IsNil() && o.abandon() {
		return nil, started[0].Interface().(error)
	}
	select {
	case <-o.ready:
	case <-ctx.Done():
		if o.abandon() {
			return nil, context.Cause(ctx)
		}
	}
	return s.split(o.results)
}

// outcome is what an asynchronous procedure will have brought.
type outcome struct {
	mu        sync.Mutex
	settled   bool // results came first, or nobody waits for them any more
	abandoned bool
	ready     chan struct{}
	results   []reflect.Value // read once ready is closed or abandon has returned false
}

// take is the body of done.
func (o *outcome) take(results []reflect.Value) []reflect.Value {
	o.mu.Lock()
	first, late := !o.settled, o.abandoned
	if first {
		o.settled, o.results = true, results
		close(o.ready)
	}
	o.mu.Unlock()
	if late {
		for _, r := range results {
			drop(r.Interface())
		}
	}
	return nil
}

// abandon gives the results up. It returns false when they are there.
func (o *outcome) abandon() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.settled && !o.abandoned {
		return false
	}
	o.settled, o.abandoned = true, true
	return true
}
