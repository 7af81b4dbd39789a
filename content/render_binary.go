package content

import (
	"encoding"
	"fmt"
	"io"
	"reflect"
)

// ImageOf renders bytes, an [io.Reader] (streamed) or an [encoding.BinaryMarshaler]
// as one image block. An empty MIME type is image/png.
func ImageOf(mimeType string) Renderer { return imageOf{mimeType} }

type imageOf struct{ mimeType string }

func (r imageOf) Render(v any) ([]Block, error) {
	data, reader, err := binaryOf(v, "an image")
	if err != nil {
		return nil, err
	}
	return []Block{Image{Data: data, Reader: reader, MIMEType: r.mimeType}}, nil
}

// AudioOf renders bytes, an [io.Reader] (streamed) or an [encoding.BinaryMarshaler]
// as one audio block. The MIME type is required.
func AudioOf(mimeType string) Renderer { return audioOf{mimeType} }

type audioOf struct{ mimeType string }

func (r audioOf) Render(v any) ([]Block, error) {
	data, reader, err := binaryOf(v, "audio")
	if err != nil {
		return nil, err
	}
	return []Block{Audio{Data: data, Reader: reader, MIMEType: r.mimeType}}, nil
}

// binaryOf is the data of v: bytes or a reader.
func binaryOf(v any, as string) ([]byte, io.Reader, error) {
	if data, reader, ok := givenBytes(v); ok {
		return data, reader, nil
	}
	data, ok, err := marshaledBytes(v)
	if err != nil {
		return nil, nil, fmt.Errorf("content: a %T could not be rendered as %s: %w", v, as, err)
	}
	if !ok {
		return nil, nil, cannotRender(as, v, "bytes, an io.Reader or an encoding.BinaryMarshaler, not nil")
	}
	return data, nil, nil
}

// givenBytes takes v as a reader or as a slice of bytes of any name.
func givenBytes(v any) (data []byte, reader io.Reader, ok bool) {
	if isNil(v) {
		return nil, nil, false
	}
	if reader, ok := v.(io.Reader); ok {
		return nil, reader, true
	}
	value := reflect.ValueOf(v)
	if value.Kind() == reflect.Slice && value.Type().Elem().Kind() == reflect.Uint8 {
		return value.Bytes(), nil, true
	}
	return nil, nil, false
}

func marshaledBytes(v any) (data []byte, ok bool, err error) {
	marshaler, ok := v.(encoding.BinaryMarshaler)
	if !ok || isNil(v) {
		return nil, false, nil
	}
	data, err = marshaler.MarshalBinary()
	return data, true, err
}

// isNil says whether v is nothing or a nil pointer, whose methods would panic.
func isNil(v any) bool {
	value := reflect.ValueOf(v)
	return !value.IsValid() || value.Kind() == reflect.Pointer && value.IsNil()
}
