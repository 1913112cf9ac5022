package dataset

import "strings"

// drawnDOT reports whether Graphviz uses an attribute of nodes or edges only for how, where
// or with what link to draw them. Texts that are drawn (label, xlabel, headlabel, taillabel),
// weight, class and comment are not such attributes.
func drawnDOT(name string) bool {
	switch name {
	case "area", "arrowhead", "arrowsize", "arrowtail", "color", "colorscheme", "constraint", "decorate", "dir", "distortion",
		"edgeURL", "edgehref", "edgetarget", "edgetooltip", "fillcolor", "fixedsize", "fontcolor", "fontname", "fontsize",
		"gradientangle", "group", "head_lp", "headURL", "headclip", "headhref", "headport", "headtarget", "headtooltip", "height",
		"href", "id", "image", "imagepos", "imagescale", "labelURL", "labelangle", "labeldistance", "labelfloat", "labelfontcolor",
		"labelfontname", "labelfontsize", "labelhref", "labeljust", "labelloc", "labeltarget", "labeltooltip", "layer", "len", "lhead",
		"lp", "ltail", "margin", "minlen", "nojustify", "ordering", "orientation", "penwidth", "peripheries", "pin", "pos", "radius",
		"rects", "regular", "root", "samehead", "sametail", "samplepoints", "shape", "shapefile", "showboxes", "sides", "skew",
		"sortv", "style", "tailURL", "tail_lp", "tailclip", "tailhref", "tailport", "tailtarget", "tailtooltip", "target", "tooltip",
		"URL", "vertices", "width", "xlp", "z":
		return true
	}
	return strings.HasPrefix(name, "_") && strings.HasSuffix(name, "draw_") // operations of xdot
}
