package pipe

// operations lists the requests there are.
func (s *server) operations() map[string]handler {
	return map[string]handler{
		"hello":              s.hello,
		"distance":           s.distance,
		"explain":            s.explain,
		"matched":            s.matched,
		"mcs":                s.mcs,
		"expand":             s.expand,
		"read":               s.read,
		"collection.open":    s.openCollection,
		"collection.info":    s.infoOfCollection,
		"collection.change":  s.change,
		"collection.get":     s.getRecords,
		"collection.write":   s.writeRecords,
		"collection.save":    s.saveCollection,
		"collection.attach":  s.attachModel,
		"collection.vectors": s.vectorsOf,
		"collection.search":  s.search,
		"collection.nearest": s.nearest,
		"collection.join":    s.join,
		"collection.cliffs":  s.cliffs,
		"model.load":         s.loadModel,
		"model.info":         s.infoOfModel,
		"model.file":         s.modelBytes,
		"model.embed":        s.embed,
		"model.predict":      s.predict,
		"train":              s.train,
		"free":               s.free,
	}
}

// hello tells the two sides whether they fit.
func (s *server) hello(*request) (*answer, error) {
	return &answer{result: map[string]int{"protocol": Protocol, "workers": s.opt.Workers}}, nil
}
