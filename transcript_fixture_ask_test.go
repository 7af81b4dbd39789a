package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/roots"
	"github.com/bowline-go/mcp/sampling"
	"github.com/bowline-go/mcp/schema"
)

type fixtureRegion struct {
	Name  string `json:"name" doc:"Such as 世界" minLength:"1" default:"eu"`
	Count int    `json:"count,omitempty" min:"1" max:"9"`
}

type fixtureConsent struct {
	Sure bool `json:"sure" doc:"Really 😀?" default:"false"`
}

// askingServer asks in every way that there is.
func askingServer() *mcp.Server {
	s := mcp.NewServer("asking", "1.0.0", nil)
	mcp.AddTool(s, mcp.Tool{Name: "deploy", Description: "Asks twice at once, and once more"}, deploy)
	mcp.AddTool(s, mcp.Tool{Name: "login", Description: "Sends the user to a URL"},
		func(ctx context.Context, _ fixtureNothing) (string, error) {
			if err := mcp.AskURL(ctx, "login", "Sign in to 世界", "https://example.com/login?x=%E4%B8%96"); err != nil {
				return "", err
			}
			mcp.CompleteURL(ctx, "login")
			return "signed in", nil
		})
	mcp.AddTool(s, mcp.Tool{Name: "poem", Description: "Asks the model"},
		func(ctx context.Context, _ fixtureNothing) (string, error) {
			result, err := sampling.Create(ctx, "poem", sampling.Params{
				Messages: []sampling.Message{sampling.UserText("A poem on 世界")}, MaxTokens: 100, SystemPrompt: "Be brief 😀",
			})
			if err != nil {
				return "", err
			}
			return result.Model + ": " + result.Text(), nil
		})
	mcp.AddTool(s, mcp.Tool{Name: "where", Description: "Asks for the roots"},
		func(ctx context.Context, _ fixtureNothing) (string, error) {
			list, err := roots.List(ctx, "where")
			if err != nil {
				return "", err
			}
			return fmt.Sprint(list), nil
		})
	mcp.AddTool(s, mcp.Tool{Name: "explicit", Description: "Asks by hand"}, askByHand)
	mcp.AddResource(s, mcp.Resource{URI: "fixture://asked", Name: "asked"},
		func(ctx context.Context) (string, error) {
			in, err := mcp.Ask[fixtureConsent](ctx, "read", "Read it?")
			return fmt.Sprint(in.Sure), err
		})
	mcp.AddPrompt(s, mcp.Prompt{Name: "asked", Description: "Asks first"},
		func(ctx context.Context, _ fixtureNothing) (string, error) {
			in, err := mcp.Ask[fixtureConsent](ctx, "use", "Use it?")
			return fmt.Sprint(in.Sure), err
		})
	return s
}

func deploy(ctx context.Context, _ fixtureNothing) (string, error) {
	to, err1 := mcp.Ask[fixtureRegion](ctx, "to", "Which region 世界?")
	backup, err2 := mcp.Ask[fixtureRegion](ctx, "backup", "Which backup region 😀?")
	if err := errors.Join(err1, err2); err != nil {
		return "", err
	}
	sure, err := mcp.Ask[fixtureConsent](ctx, "sure", "Deploy to "+to.Name+"?")
	if err != nil || !sure.Sure {
		return "nothing was deployed", err
	}
	return fmt.Sprintf("%d in %s, backed up in %s", to.Count, to.Name, backup.Name), nil
}

func askByHand(ctx context.Context, _ fixtureNothing) (*mcp.ToolResult, error) {
	request := mcp.RequestFrom(ctx)
	answer := request.InputResponse("color")
	if answer == nil {
		form := schema.Object().Prop("color", schema.Enum("red", "青"))
		return nil, mcp.InputRequired("step 世界", mcp.FormRequest("color", "Which color?", form))
	}
	var filled struct {
		Content json.RawMessage `json:"content"`
	}
	if err := json.Unmarshal(answer, &filled); err != nil {
		return nil, err
	}
	text := strings.Join([]string{request.State(), string(filled.Content)}, " ")
	return &mcp.ToolResult{Content: []content.Block{content.NewText(text)}}, nil
}
