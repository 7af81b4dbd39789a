package protocol

import (
	"errors"
	"fmt"
	"strings"
)

// Question returns what a client must have declared to be asked by method with these params,
// a raw object, and how its answer is checked.
//
// basic/patterns/mrtr#server-requirements-basic-workflow: one of three requests, and only one
// that the client declared.
func Question(method string, params []byte) (needs CapabilitySet, check func(answer []byte) error, err error) {
	if !isObject(params) {
		return 0, nil, fmt.Errorf("the parameters of %s are no object; use one", method)
	}
	switch method {
	case methods[ElicitationCreate].Name:
		if stringIs(memberOf(params, "mode"), ElicitModeURL) {
			return CanElicitURL, checkElicited, nil
		}
		return CanElicitForm, checkElicited, nil
	case methods[SamplingCreateMessage].Name:
		return samplingNeeds(params), checkSampled, nil
	case methods[RootsList].Name:
		return CanListRoots, checkRoots, nil
	}
	return 0, nil, fmt.Errorf("a client cannot be asked by %.60q; use elicitation/create, sampling/createMessage or roots/list", method)
}

// samplingNeeds returns what a sampling request needs beyond sampling itself.
//
// client/sampling#capabilities: tools and context are declared apart.
func samplingNeeds(params []byte) CapabilitySet {
	needs := CanSample
	if memberOf(params, "tools") != nil || memberOf(params, "toolChoice") != nil {
		needs |= CanSampleTools
	}
	if included := memberOf(params, "includeContext"); included != nil && !stringIs(included, "none") {
		needs |= CanSampleContext
	}
	return needs
}

func checkElicited(answer []byte) error {
	var result ElicitResult
	if err := Decode(answer, &result); err != nil {
		return err
	}
	switch result.Action {
	case ActionAccept, ActionDecline, ActionCancel:
		return nil
	}
	return fmt.Errorf("unknown action %.40q; expected accept, decline or cancel", result.Action)
}

func checkSampled(answer []byte) error {
	if !hasStrings(answer, "role", "model") {
		return errors.New("expected an object with the strings role and model, and content")
	}
	var result CreateMessageResult
	if err := Decode(answer, &result); err != nil {
		return err
	}
	if content := result.Content; len(content) == 0 || (content[0] != '{' && content[0] != '[') {
		return errors.New("the content is neither a block nor a list of blocks")
	}
	return nil
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
		return err
	}
	for _, root := range result.Roots {
		if !strings.HasPrefix(root.URI, "file://") {
			return fmt.Errorf("the root %.80q is no file:// URI", root.URI)
		}
	}
	return nil
}
