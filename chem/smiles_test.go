package chem

import (
	"strings"
	"testing"
)

// orders spells the orders of the bonds of a molecule, as in "1 2 ar".
func orders(m *Molecule) string {
	var s []string
	for _, b := range m.Bonds {
		s = append(s, b.Order.Label())
	}
	return strings.Join(s, " ")
}

func TestQuick(t *testing.T) {
	for _, s := range []string{"c1ccccc1", "C1=CC=CC=C1", "C1=CC2=CC=CC2=CC=C1", "c1*cccc1", "CN(=O)=O", "C1=CN2C=CC=C2C=C1", "c1ccc2c(c1)c1ccccc12"} {
		m, err := ParseSMILES(s)
		if err != nil {
			t.Error(s, err)
			continue
		}
		t.Log(s, orders(m))
	}
}
