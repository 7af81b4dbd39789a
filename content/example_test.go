package content_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/bowline-go/mcp/content"
)

// A result is JSON text around blocks; the picture is read while the result is written.
func ExampleBody() {
	var b content.Body
	b.SetFailureEnd(func(dst []byte, err error) []byte {
		return fmt.Appendf(dst, `,{"type":"text","text":%q}],"isError":true}`, err.Error())
	})
	b.AppendString(`{"content":`)
	err := b.AppendBlocks([]content.Block{
		content.NewText("Here it is:"),
		content.Image{Reader: strings.NewReader("PNGDATA")},
	}, content.FullDialect())
	if err != nil {
		fmt.Println(err)
		return
	}
	b.AppendString(`,"isError":false}`)
	if _, err := b.WriteTo(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output: {"content":[{"type":"text","text":"Here it is:"},{"type":"image","data":"UE5HREFUQQ==","mimeType":"image/png"}],"isError":false}
}

// A picture that many results show is encoded once.
func ExamplePrepare() {
	logo, err := content.Prepare(content.PNG([]byte("PNGDATA")))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, caption := range []string{"first", "second"} {
		var b content.Body
		if err := b.AppendBlocks([]content.Block{content.NewText(caption), logo}, content.FullDialect()); err != nil {
			fmt.Println(err)
			return
		}
		if _, err := b.WriteTo(os.Stdout); err != nil {
			fmt.Println(err)
		}
		fmt.Println()
	}
	// Output:
	// [{"type":"text","text":"first"},{"type":"image","data":"UE5HREFUQQ==","mimeType":"image/png"}]
	// [{"type":"text","text":"second"},{"type":"image","data":"UE5HREFUQQ==","mimeType":"image/png"}]
}

// A client of an older revision gets what that revision can say.
func ExampleDialect() {
	link := content.NewLink("report", "file:///report.pdf")
	for _, d := range []content.Dialect{{}, content.FullDialect()} {
		line, err := content.AppendBlock(nil, link, d)
		fmt.Println(string(line), err)
	}
	// Output:
	// {"type":"text","text":"report: file:///report.pdf"} <nil>
	// {"type":"resource_link","uri":"file:///report.pdf","name":"report"} <nil>
}
