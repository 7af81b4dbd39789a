package procedure

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/bowline-go/mcp/schema"
)

// signature is a function and what a call has to know of it. It is immutable.
type signature struct {
	fn         reflect.Value
	takesCtx   bool
	params     []reflect.Type // without the context and done
	results    []reflect.Type // without the error
	fails      bool           // an error follows the results
	done       reflect.Type   // of an asynchronous procedure, nil otherwise
	startFails bool           // an asynchronous procedure has an error of its own
}

var (
	contextType = reflect.TypeFor[context.Context]()
	errorType   = reflect.TypeFor[error]()
)

// signatureOf checks a procedure that returns its results.
func signatureOf(fn any) (*signature, error) {
	s, err := parametersOf(fn)
	if err != nil {
		return nil, err
	}
	typ := s.fn.Type()
	for i := range typ.NumIn() {
		if t := typ.In(i); t.Kind() == reflect.Func && i == typ.NumIn()-1 {
			return nil, fmt.Errorf("parameter %d (%s) is a function; use RegisterAsync if it takes the results", i+1, t)
		}
	}
	if err := s.checkParams(); err != nil {
		return nil, err
	}
	outs := make([]reflect.Type, typ.NumOut())
	for i := range outs {
		outs[i] = typ.Out(i)
	}
	return s, s.readResults("result", outs)
}

// asyncSignatureOf checks a procedure that gives its results to a function.
func asyncSignatureOf(fn any) (*signature, error) {
	s, err := parametersOf(fn)
	if err != nil {
		return nil, err
	}
	typ := s.fn.Type()
	if len(s.params) == 0 || typ.IsVariadic() {
		return nil, fmt.Errorf("%s has no function as its last parameter; add one that takes the results, such as done func(int, error)", typ)
	}
	last := len(s.params) - 1
	s.done, s.params = s.params[last], s.params[:last]
	if s.done.Kind() != reflect.Func || s.done.NumOut() > 0 || s.done.IsVariadic() {
		return nil, fmt.Errorf("parameter %d (%s) must take the results and return nothing; declare it as, for example, done func(int, error)", typ.NumIn(), s.done)
	}
	if err := s.checkParams(); err != nil {
		return nil, err
	}
	switch {
	case typ.NumOut() == 1 && typ.Out(0) == errorType:
		s.startFails = true
	case typ.NumOut() > 0:
		return nil, fmt.Errorf("the results (%s) belong to %s; return nothing, or an error", typ.Out(0), s.done)
	}
	ins := make([]reflect.Type, s.done.NumIn())
	for i := range ins {
		ins[i] = s.done.In(i)
	}
	return s, s.readResults("result (parameter of done)", ins)
}

// parametersOf reads the parameters of a function.
func parametersOf(fn any) (*signature, error) {
	s := &signature{fn: reflect.ValueOf(fn)}
	if fn == nil || s.fn.Kind() != reflect.Func {
		return nil, fmt.Errorf("expected a function, got %T", fn)
	}
	if s.fn.IsNil() {
		return nil, errors.New("the function is nil; register one that can be called")
	}
	typ := s.fn.Type()
	for i := range typ.NumIn() {
		switch t := typ.In(i); {
		case t != contextType:
			s.params = append(s.params, t)
		case i == 0:
			s.takesCtx = true
		default:
			return nil, fmt.Errorf("parameter %d is a context.Context; make it the first", i+1)
		}
	}
	return s, nil
}

// checkParams checks that values can be made for the parameters.
func (s *signature) checkParams() error {
	var mistakes []error
	for i, t := range s.params {
		if _, err := schema.Of(t).MarshalJSON(); err != nil {
			mistakes = append(mistakes, fmt.Errorf("parameter %d (%s): %w", s.position(i), t, err))
		}
	}
	return errors.Join(mistakes...)
}

// position is where parameter i stands in the function, from 1, the context counted.
func (s *signature) position(i int) int {
	if s.takesCtx {
		return i + 2
	}
	return i + 1
}

// readResults takes the results apart.
func (s *signature) readResults(what string, types []reflect.Type) error {
	if n := len(types); n > 0 && types[n-1] == errorType {
		s.fails, types = true, types[:n-1]
	}
	var mistakes []error
	for i, t := range types {
		switch {
		case t == errorType:
			mistakes = append(mistakes, fmt.Errorf("%s %d is an error; an error can only be the last", what, i+1))
		case t.Kind() == reflect.Pointer && t.Implements(errorType):
			mistakes = append(mistakes, fmt.Errorf("%s %d (%s) is an error of a type of its own, whose nil is no nil error; declare it as error", what, i+1, t))
		case hasNoForm(t.Kind()):
			mistakes = append(mistakes, fmt.Errorf("%s %d (%s) cannot be rendered; return data", what, i+1, t))
		}
	}
	s.results = types
	return errors.Join(mistakes...)
}

func hasNoForm(k reflect.Kind) bool {
	switch k {
	case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer:
		return true
	}
	return false
}
