package protocol

import (
	"errors"
	"fmt"
	"strings"
)

// Question returns what a client of revision r must have declared to be asked by method with these
// params, a raw object, and how its answer is checked.
//
// basic/patterns/mrtr#server-requirements-basic-workflow: one of three requests, and only one
// that the client declared.
func Question(r *Revision, method string, params []byte) (needs CapabilitySet, check func(answer []byte) error, err error) {
	if !isObject(params) {
		return 0, nil, fmt.Errorf("the parameters of %.60s are no object; use one", method)
	}
	switch method {
	case methods[ElicitationCreate].Name:
		needs, err = elicitationNeeds(params)
		return needs, checkElicited, err
	case methods[SamplingCreateMessage].Name:
		needs, err = samplingNeeds(r, params)
		return needs, func(answer []byte) error { return checkSampled(r, answer) }, err
	case methods[RootsList].Name:
		return CanListRoots, checkRoots, nil
	}
	return 0, nil, fmt.Errorf("a client cannot be asked by %.60q; use elicitation/create, sampling/createMessage or roots/list", method)
}

// elicitationNeeds checks the parameters of an elicitation and returns the mode that it needs.
//
// client/elicitation#elicitation-requests: a message, and a schema or a URL.
func elicitationNeeds(params []byte) (CapabilitySet, error) {
	if !isString(memberOf(params, "message")) {
		return 0, errors.New("an elicitation needs a message, a string")
	}
	switch mode := memberOf(params, "mode"); {
	case stringIs(mode, ElicitModeURL):
		if !isString(memberOf(params, "url")) {
			return 0, errors.New("an elicitation of mode url needs a url, a string")
		}
		return CanElicitURL, nil
	case mode == nil, stringIs(mode, ElicitModeForm):
		if !isObject(memberOf(params, "requestedSchema")) {
			return 0, errors.New("an elicitation of a form needs a requestedSchema, an object")
		}
		return CanElicitForm, nil
	}
	return 0, errors.New("the mode of an elicitation is form or url; leave it out for a form")
}

// checkElicited checks the form of an answer to elicitation/create.
//
// client/elicitation#response-actions.
func checkElicited(answer []byte) error {
	if !isObject(answer) {
		return errors.New("expected an object with an action")
	}
	action := memberOf(answer, "action")
	for _, known := range []string{ActionAccept, ActionDecline, ActionCancel} {
		if stringIs(action, known) {
			return nil
		}
	}
	return errors.New("the action must be accept, decline or cancel")
}

// checkRoots checks an answer to roots/list.
//
// client/roots#root: the uri must be a file:// URI.
func checkRoots(answer []byte) error {
	if list := memberOf(answer, "roots"); len(list) == 0 || list[0] != '[' {
		return errors.New("expected an object with the list roots")
	}
	var result ListRootsResult
	if err := Decode(answer, &result); err != nil {
		return errors.New("expected roots with a uri and, if they have one, a name")
	}
	for _, root := range result.Roots {
		if !strings.HasPrefix(root.URI, "file://") {
			return fmt.Errorf("the root %.80q is no file:// URI", root.URI)
		}
	}
	return nil
}
