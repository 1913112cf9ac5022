package edit

// Uniform returns the unit costs of the paper: every edit costs 1.
func Uniform() Costs { return Costs{1, 1, 1, 1, 1, 1, nil, nil} }

// Chem1 returns the costs that GEDLIB calls CHEM_1: nodes are inserted and
// deleted for 4, edges for 1; a substitution costs 2 for a node, 1 for an edge.
func Chem1() Costs { return Costs{4, 4, 2, 1, 1, 1, nil, nil} }

// Chem2 returns the costs that GEDLIB calls CHEM_2: nodes are inserted and
// deleted for 2.75, edges for 0.825; a substitution costs 5.5 for a node, 0.825
// for an edge. They are those of Abu-Aisheh, Raveaux and Ramel, "A graph database
// repository and performance evaluation metrics for graph edit distance" (GbRPR
// 2015): 11 for a node and 1.1 for an edge, weighed 1 to 3.
func Chem2() Costs { return Costs{2.75, 2.75, 5.5, 0.825, 0.825, 0.825, nil, nil} }

// IgnoreEdgeLabels returns the costs with edge substitution free, the paper's
// setting.
func (c Costs) IgnoreEdgeLabels() Costs {
	c.EdgeSubstitute = 0
	c.Edges = c.Edges.freeSubstitution()
	return c
}
