// Package sampling asks the client's model for a completion. The feature is deprecated as of
// the modern revision, which keeps it for at least twelve months; new servers call a model
// provider themselves.
//
//	result, err := sampling.Create(ctx, "summary", sampling.Params{
//		Messages:  []sampling.Message{sampling.UserText("Summarize: " + text)},
//		MaxTokens: 500,
//	})
//
// Clients before 2025-11-25 know no tools, and one block a message; what a client cannot be
// asked is an error before anything is sent.
//
// This package does not choose a model, run tools that the model wants to use, or keep a
// conversation.
package sampling
