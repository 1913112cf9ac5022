// Package pipe answers the requests of the program that started this one: framed
// messages over two pipes, with numbers as raw arrays. The Python package uses it.
//
// # Frames
//
// A frame is a head of 24 bytes, a JSON text and the arrays that the text
// lists. All numbers are little-endian.
//
//	0   uint32   number of the request
//	4   uint32   kind: 0 request, 1 cancel, 2 answer, 3 progress, 4 log
//	8   uint64   bytes of the JSON text
//	16  uint64   bytes of the arrays
//
// Arrays follow each other, each padded to a multiple of 8 bytes. The JSON text
// lists them under "arrays" as [{"name", "type", "shape"}, ...] in their order;
// types are u1, i4, f4 and f8, as NumPy calls them.
//
// A request is {"op": ..., "args": ..., "arrays": ...}. It is answered by one
// answer, {"result": ..., "arrays": ...} or {"error": {...}}, before which there
// may be progress. Requests run at the same time. Cancel ends the request of its
// number, which is still answered. When the stream of requests ends the server
// ends, whatever it is doing: that is how it dies with the program it works for.
package pipe
