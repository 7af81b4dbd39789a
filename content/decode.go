package content

import (
	stdjson "encoding/json"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// DecodeBlock decodes one block. Unknown members are ignored; a block of an
// unknown type is a [Raw]. The block does not alias data.
func DecodeBlock(data []byte) (Block, error) {
	var head struct {
		Type *string `json:"type"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, fmt.Errorf("content: a block is not valid: %w", err)
	}
	if head.Type == nil {
		return nil, errors.New("content: a block has no type; expected an object with a type")
	}
	var decode func([]byte) (Block, error)
	switch *head.Type {
	case "text":
		decode = decodeText
	case "image":
		decode = decodeImage
	case "audio":
		decode = decodeAudio
	case "resource_link":
		decode = decodeLink
	case "resource":
		decode = decodeEmbedded
	default:
		return Raw(append([]byte(nil), data...)), nil
	}
	block, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("content: %s block: %w", *head.Type, err)
	}
	return block, nil
}

// DecodeBlocks decodes an array of blocks; the error says the index of a bad one.
func DecodeBlocks(data []byte) ([]Block, error) {
	var list []jsontext.Value
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("content: expected an array of blocks: %w", err)
	}
	blocks := make([]Block, 0, len(list))
	for i, item := range list {
		block, err := DecodeBlock(item)
		if err != nil {
			return nil, fmt.Errorf("block %d: %w", i, err)
		}
		blocks = append(blocks, block)
	}
	return blocks, nil
}

// DecodeContents decodes the contents of a resource: those with a blob have a
// Blob that is not nil. Unknown members are ignored.
func DecodeContents(data []byte) (Contents, error) {
	var wire wireContents
	if err := json.Unmarshal(data, &wire); err != nil {
		return Contents{}, fmt.Errorf("content: contents are not valid: %w", err)
	}
	c, err := wire.contents()
	if err != nil {
		return Contents{}, fmt.Errorf("content: contents: %w", err)
	}
	return c, nil
}

// common are the members that blocks share.
type common struct {
	Annotations *Annotations       `json:"annotations"`
	Meta        stdjson.RawMessage `json:"_meta"`
}

func decodeText(data []byte) (Block, error) {
	var wire struct {
		common
		Text *string `json:"text"`
	}
	if err := unmarshal(data, &wire, &wire.Meta); err != nil {
		return nil, err
	}
	if wire.Text == nil {
		return nil, missing("text")
	}
	return Text{*wire.Text, wire.Annotations, wire.Meta}, nil
}

// wireMedia is an image or audio block.
type wireMedia struct {
	common
	Data     *[]byte `json:"data"`
	MIMEType *string `json:"mimeType"`
}

func (wire *wireMedia) decode(data []byte) error {
	if err := unmarshal(data, wire, &wire.Meta); err != nil {
		return err
	}
	if wire.Data == nil {
		return missing("data")
	}
	if wire.MIMEType == nil {
		return missing("mimeType")
	}
	return nil
}

func decodeImage(data []byte) (Block, error) {
	var wire wireMedia
	if err := wire.decode(data); err != nil {
		return nil, err
	}
	return Image{Data: *wire.Data, MIMEType: *wire.MIMEType, Annotations: wire.Annotations, Meta: wire.Meta}, nil
}

func decodeAudio(data []byte) (Block, error) {
	var wire wireMedia
	if err := wire.decode(data); err != nil {
		return nil, err
	}
	return Audio{Data: *wire.Data, MIMEType: *wire.MIMEType, Annotations: wire.Annotations, Meta: wire.Meta}, nil
}

func decodeLink(data []byte) (Block, error) {
	var wire struct {
		common
		URI         *string `json:"uri"`
		Name        *string `json:"name"`
		Title       string  `json:"title"`
		Description string  `json:"description"`
		MIMEType    string  `json:"mimeType"`
		Icons       []Icon  `json:"icons"`
		Size        *int64  `json:"size"`
	}
	if err := unmarshal(data, &wire, &wire.Meta); err != nil {
		return nil, err
	}
	if wire.URI == nil {
		return nil, missing("uri")
	}
	if wire.Name == nil {
		return nil, missing("name")
	}
	return Link{
		URI: *wire.URI, Name: *wire.Name, Title: wire.Title, Description: wire.Description, MIMEType: wire.MIMEType,
		Icons: wire.Icons, Annotations: wire.Annotations, Size: wire.Size, Meta: wire.Meta,
	}, nil
}

func decodeEmbedded(data []byte) (Block, error) {
	var wire struct {
		common
		Resource *wireContents `json:"resource"`
	}
	if err := unmarshal(data, &wire, &wire.Meta); err != nil {
		return nil, err
	}
	if wire.Resource == nil {
		return nil, missing("resource")
	}
	c, err := wire.Resource.contents()
	if err != nil {
		return nil, fmt.Errorf("resource: %w", err)
	}
	return Embedded{Resource: c, Annotations: wire.Annotations, Meta: wire.Meta}, nil
}

type wireContents struct {
	URI      *string            `json:"uri"`
	MIMEType string             `json:"mimeType"`
	Text     *string            `json:"text"`
	Blob     *[]byte            `json:"blob"`
	Meta     stdjson.RawMessage `json:"_meta"`
}

func (wire *wireContents) contents() (Contents, error) {
	if wire.URI == nil {
		return Contents{}, missing("uri")
	}
	if (wire.Text == nil) == (wire.Blob == nil) {
		return Contents{}, errors.New("expected either text or blob")
	}
	if err := checkMeta(&wire.Meta); err != nil {
		return Contents{}, err
	}
	c := Contents{URI: *wire.URI, MIMEType: wire.MIMEType, Meta: wire.Meta}
	if wire.Text != nil {
		c.Text = *wire.Text
		return c, nil
	}
	c.Blob = *wire.Blob
	return c, nil
}

func unmarshal(data []byte, wire any, meta *stdjson.RawMessage) error {
	if err := json.Unmarshal(data, wire); err != nil {
		return err
	}
	return checkMeta(meta)
}

// checkMeta takes null for absent, as every optional member does.
func checkMeta(meta *stdjson.RawMessage) error {
	switch jsontext.Value(*meta).Kind() {
	case 'n':
		*meta = nil
	case '{', 0:
	default:
		return errors.New("_meta is not an object")
	}
	return nil
}

func missing(member string) error { return fmt.Errorf("%q is missing", member) }
