package graphtest

import (
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// Bytes returns a field of a message of protocol buffers that holds bytes: a text or a message.
func Bytes(number int, parts ...string) string {
	text := protowire.AppendTag(nil, protowire.Number(number), protowire.BytesType)
	return string(protowire.AppendBytes(text, []byte(strings.Join(parts, ""))))
}

// Varint returns a field that holds a number.
func Varint(number int, x uint64) string {
	text := protowire.AppendTag(nil, protowire.Number(number), protowire.VarintType)
	return string(protowire.AppendVarint(text, x))
}
