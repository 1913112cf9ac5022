package pipe

import (
	"encoding/json"
	"log/slog"
)

// log has the other side log a message.
func (s *server) log(level slog.Level, message string) {
	text, _ := json.Marshal(map[string]string{"level": level.String(), "message": message}) // which texts always have
	// That nobody listens any more is seen where requests are read.
	_ = s.out.write(frame{kind: kindLog, text: text})
}
