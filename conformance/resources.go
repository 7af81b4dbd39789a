package main

import (
	"context"

	"github.com/bowline-go/mcp"
)

type item struct {
	ID string `json:"id"`
}

// itemData is what a resource of the template holds.
type itemData struct {
	ID           string `json:"id"`
	TemplateTest bool   `json:"templateTest"`
	Data         string `json:"data"`
}

func addResources(r mcp.Registrar) {
	mcp.AddFixedResource(r, mcp.Resource{
		URI: "test://static-text", Name: "static-text", Description: "A text that never changes", MIMEType: "text/plain",
	}, "This is the content of the static text resource.")
	mcp.AddFixedResource(r, mcp.Resource{
		URI: "test://static-binary", Name: "static-binary", Description: "A picture that never changes", MIMEType: "image/png",
	}, pixel())
	mcp.AddFixedResource(r, mcp.Resource{
		URI: "test://watched-resource", Name: "watched-resource", Description: "A text to subscribe to", MIMEType: "text/plain",
	}, "Watched resource content")
	mcp.AddTemplate(r, mcp.ResourceTemplate{
		URITemplate: "test://template/{id}/data", Name: "template", Description: "The data of an item", MIMEType: "application/json",
	}, func(_ context.Context, v item) (itemData, error) {
		return itemData{ID: v.ID, TemplateTest: true, Data: "Data for ID: " + v.ID}, nil
	})
}
