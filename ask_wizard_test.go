package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/internal/client"
	"github.com/bowline-go/mcp/internal/protocol"
	"github.com/bowline-go/mcp/roots"
	"github.com/bowline-go/mcp/sampling"
	"github.com/bowline-go/mcp/schema"
)

// A wizard is a handler that asks in random rounds. Whatever way its questions take, its outcome is the same.
type wizard struct {
	seed   uint64
	rounds []wizardRound
}

type wizardRound struct {
	kinds  []string
	keys   []string
	inside bool // within a step that is remembered
	strict bool // a refusal ends the wizard
	makes  bool // a step without questions comes before
}

func newWizard(seed uint64, kinds ...string) *wizard {
	r := rand.New(rand.NewPCG(seed, 1))
	w := &wizard{seed: seed}
	for range 1 + r.IntN(6) {
		round := wizardRound{inside: r.IntN(3) == 0, strict: r.IntN(3) == 0, makes: r.IntN(3) == 0}
		for i := range 1 + r.IntN(3) {
			round.kinds = append(round.kinds, kinds[r.IntN(len(kinds))])
			round.keys = append(round.keys, []string{"q", fmt.Sprint("q", i), "世/界#2", "a%"}[r.IntN(4)])
		}
		w.rounds = append(w.rounds, round)
	}
	return w
}

// server serves the wizard as its only tool.
func (w *wizard) server() *mcp.Server {
	s := mcp.NewServer("wizard", "1", &mcp.Options{Keys: [][]byte{stateKey}})
	mcp.AddTool(s, mcp.Tool{Name: "wizard", Description: "Asks"},
		func(ctx context.Context, _ struct{}) (string, error) { return w.run(ctx) })
	return s
}

func (w *wizard) run(ctx context.Context) (string, error) {
	log := ""
	for i := range w.rounds {
		round := &w.rounds[i]
		if round.makes {
			made, err := mcp.Remember(ctx, "made", func(context.Context) (string, error) { return fmt.Sprintf("<%d 世界>", len(log)), nil })
			if err != nil {
				return "", err
			}
			log += made
		}
		ask := func(ctx context.Context) (string, error) { return round.ask(ctx, log) }
		if round.inside {
			inner := ask
			ask = func(ctx context.Context) (string, error) { return mcp.Remember(ctx, "step", inner) }
		}
		said, err := ask(ctx)
		if err != nil {
			return "", err
		}
		log += fmt.Sprintf("%d[%s]", i, said)
	}
	return log, nil
}

// ask asks all questions of a round.
func (round *wizardRound) ask(ctx context.Context, log string) (string, error) {
	said := make([]string, len(round.kinds))
	var open []error
	for i, kind := range round.kinds {
		text, err := askKind(ctx, kind, round.keys[i], fmt.Sprintf("%d. after %x?", i, hashOf(log)))
		switch {
		case errors.Is(err, mcp.ErrDeclined) || errors.Is(err, mcp.ErrDismissed):
			if text = "no"; round.strict {
				return "", fmt.Errorf("refused after %s: %w", log, err)
			}
		case err != nil:
			open = append(open, err)
		}
		said[i] = text
	}
	return strings.Join(said, ","), errors.Join(open...)
}

func askKind(ctx context.Context, kind, key, message string) (string, error) {
	switch kind {
	case "form":
		in, err := mcp.Ask[askName](ctx, key, message)
		return in.Name, err
	case "raw form":
		filled, err := mcp.AskForm(ctx, key, message, schema.Object().Prop("name", schema.String().MinLength(1)))
		return string(filled), err
	case "url":
		return "opened", mcp.AskURL(ctx, key, message, "https://example.com/世界")
	case "sampling":
		result, err := sampling.Create(ctx, key, sampling.Params{Messages: []sampling.Message{sampling.UserText(message)}, MaxTokens: 9})
		if err != nil {
			return "", err
		}
		return result.Text(), nil
	}
	list, err := roots.List(ctx, key)
	return fmt.Sprint(list), err
}

func hashOf(text string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text))
	return h.Sum64()
}

// options are a client whose user and model decide by what they are asked.
func (w *wizard) options(revision string) client.Options {
	fate := func(message string) uint64 { return hashOf(fmt.Sprint(w.seed, message)) % 8 }
	return client.Options{
		Revision: protocol.Lookup(revision),
		Elicit: func(_ context.Context, q protocol.ElicitParams) (protocol.ElicitResult, error) {
			message, _, again := strings.Cut(q.Message, "\n\nThe last answer")
			result := protocol.ElicitResult{Action: protocol.ActionAccept}
			switch f := fate(message); {
			case f == 0:
				result.Action = protocol.ActionDecline
			case f == 1:
				result.Action = protocol.ActionCancel
			case q.URL != "":
			case f == 2 && !again:
				result.Content = json.RawMessage(`{"name":""}`) // does not fit
			default:
				result.Content = fmt.Appendf(nil, `{"name":"世%d😀"}`, f)
			}
			return result, nil
		},
		Sample: func(_ context.Context, params json.RawMessage) (json.RawMessage, error) {
			return fmt.Appendf(nil, `{"role":"assistant","content":{"type":"text","text":"界%x"},"model":"m"}`, hashOf(string(params))), nil
		},
		Roots: func(context.Context) ([]protocol.Root, error) {
			return []protocol.Root{{URI: "file:///世界"}}, nil
		},
	}
}

// play calls the wizard through a client and returns its outcome.
func (w *wizard) play(t *testing.T, revision string, connect func(t *testing.T, w *wizard, take func(line []byte)) client.Transport) string {
	t.Helper()
	var c *client.Client
	transport := connect(t, w, func(line []byte) {
		if err := c.Receive(line); err != nil && !errors.Is(err, client.ErrClosed) {
			t.Errorf("%v: %s", err, line)
		}
	})
	c = client.New(transport, w.options(revision))
	defer c.Close(nil)
	if _, err := c.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	raw, err := c.Call(t.Context(), protocol.ToolsCall, map[string]any{"name": "wizard"})
	if err != nil {
		t.Fatal(err)
	}
	p := takeApart(t, `{"result":`+string(raw)+`}`)
	return fmt.Sprint(p.fails, " ", p.text)
}

func TestAWizardEndsTheSameWhateverWayItsQuestionsTake(t *testing.T) {
	all := []string{"form", "raw form", "url", "sampling", "roots"}
	withoutURL := []string{"form", "raw form", "sampling", "roots"}
	const modern = "2026-07-28"
	outcomes := map[string]int{}
	for seed := range uint64(40) {
		w := newWizard(seed, all...)
		want := w.play(t, modern, inMemory(1))
		outcomes[want[:4]]++
		ways := []struct {
			rule, revision string
			connect        func(t *testing.T, w *wizard, take func(line []byte)) client.Transport
		}{
			{"three servers that share a key", modern, inMemory(3)},
			{"legacy", newestLegacy, inMemory(1)},
		}
		if seed%4 == 0 {
			ways = append(ways, []struct {
				rule, revision string
				connect        func(t *testing.T, w *wizard, take func(line []byte)) client.Transport
			}{
				{"modern over stdio", modern, overStdio},
				{"legacy over stdio", newestLegacy, overStdio},
				{"modern over HTTP", modern, overHTTP},
				{"legacy over HTTP", newestLegacy, overHTTP},
			}...)
		}
		for _, way := range ways {
			if got := w.play(t, way.revision, way.connect); got != want {
				t.Errorf("seed %d, %s:\n got %s\nwant %s\n%+v", seed, way.rule, got, want, w.rounds)
			}
		}
		w = newWizard(seed, withoutURL...)
		want = w.play(t, modern, inMemory(2))
		if got := w.play(t, "2025-06-18", inMemory(1)); got != want {
			t.Errorf("seed %d, 2025-06-18:\n got %s\nwant %s\n%+v", seed, got, want, w.rounds)
		}
	}
	if len(outcomes) < 2 {
		t.Errorf("the wizards are not random enough: %v", outcomes)
	}
}
