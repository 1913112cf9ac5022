package bench

import (
	"testing"
	"time"
)

func TestCertify(t *testing.T) {
	opt := CertifyOptions{Data: fakeData(t), Queries: 1, Time: time.Minute, Only: []string{"aids"}}
	table, err := Certify(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	rows := make(map[string]Row)
	for _, r := range table.Rows {
		rows[r.Name] = r
	}
	if rows["aids/ged/model"].Skipped == "" || rows["aids/sed"].Skipped == "" {
		t.Errorf("rows without model or data: %+v", table.Rows)
	}
	near := rows["aids/ged/bounds/10-nn"]
	if len(near.Figures) != 10 || near.Figures[0].Value != 1 || near.Figures[6].Value != 1 {
		t.Errorf("two equal graphs: %+v", near)
	}
	opt.Queries, opt.Only = 4, []string{"aids42k"}
	if table, err = Certify(t.Context(), opt); err != nil {
		t.Fatal(err)
	}
	if len(table.Rows) != 2*(1+7+7)+1+3 {
		t.Fatalf("%d rows", len(table.Rows))
	}
	for _, r := range table.Rows {
		if r.Skipped == "" && (r.Figures[0].Value != 1 || r.Pairs != 4) {
			t.Errorf("row %+v", r)
		}
	}
	opt.Queries, opt.Copies, opt.Only = 2, 6000, []string{"copies/ged/bounds"}
	if table, err = Certify(t.Context(), opt); err != nil {
		t.Fatal(err)
	}
	if len(table.Rows) != 4 || table.Rows[1].Figures[0].Value != 1 {
		t.Errorf("copies: %+v", table.Rows)
	}
	opt.Queries, opt.Time, opt.Only = 2, 200*time.Millisecond, []string{"nci/sed/model/range-1"}
	if table, err = Certify(t.Context(), opt); err != nil {
		t.Fatal(err)
	}
	if len(table.Rows) != 1 || table.Rows[0].Pairs != 2 {
		t.Errorf("rows %+v", table.Rows)
	}
	for _, bad := range []CertifyOptions{{Time: 1}, {Queries: 1}, {Queries: 1, Time: 1, Only: []string{"x"}}} {
		if _, err := Certify(t.Context(), bad); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
}
