package store

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/flate"

	"github.com/greedgraph/greed/dataset"
)

// SetBlocks says whether the MOL blocks of records that are put from now on are kept. They
// are by default.
func (s *Store) SetBlocks(ctx context.Context, keep bool) error {
	return s.update(ctx, func(snap *Snapshot) error {
		snap.m.NoBlocks = !keep
		return nil
	})
}

// Blocks sets [dataset.Record.Block] of records that were read from the collection to the
// MOL blocks that they were put with. A record that was replaced since by one with another
// SMILES, or deleted, stays without.
func (s *Store) Blocks(ctx context.Context, records []dataset.Record) error {
	return s.View(ctx, func(snap *Snapshot) error {
		for i := range records {
			slot, have, err := snap.slot(records[i].ID)
			if err != nil {
				return err
			}
			if !have {
				continue
			}
			payload, _, err := get(snap.tx, recordsBucket, slotKey(slot))
			if err != nil {
				return err
			}
			now, err := decodeAbout(payload)
			if err != nil {
				return err
			}
			if now.SMILES != records[i].SMILES {
				continue
			}
			if records[i].Block, err = snap.Block(slot); err != nil {
				return err
			}
		}
		return nil
	})
}

// Block returns the MOL block of the record in a slot, or "" if there is none.
func (s *Snapshot) Block(slot int) (string, error) {
	key := slotKey(slot)
	payload, _, err := get(s.tx, recordsBucket, key)
	if payload == nil || err != nil {
		return "", err
	}
	packed, err := s.packed(key, payload)
	if packed == nil || err != nil {
		return "", err
	}
	text, err := io.ReadAll(flate.NewReaderDict(bytes.NewReader(packed), blockDictionary()))
	if err != nil {
		return "", fmt.Errorf("%w: the MOL block of slot %d: %w", ErrDamaged, slot, err)
	}
	return string(text), nil
}

// packed returns the compressed MOL block of a stored record, or nil if it has none.
func (s *Snapshot) packed(key, record []byte) ([]byte, error) {
	if len(record) == 0 || record[0]&hasBlock == 0 {
		return nil, nil
	}
	packed, _, err := get(s.tx, molBucket, key)
	if err == nil && packed == nil {
		err = fmt.Errorf("%w: entry %q of %s is missing", ErrDamaged, key, molBucket)
	}
	return packed, err
}

// blockLevel is the level of compression of MOL blocks: 9 makes them 5 % smaller and takes 2.5 times as long.
const blockLevel = 6

// packer compresses MOL blocks. The zero packer is ready for use.
type packer struct {
	out bytes.Buffer
	w   *flate.Writer
}

// compress returns a block as the bucket has it. The result is valid until the next call.
func (p *packer) compress(block string) []byte {
	p.out.Reset()
	if p.w == nil {
		p.w, _ = flate.NewWriterDict(&p.out, blockLevel, blockDictionary()) // only a wrong level is an error
	} else {
		p.w.Reset(&p.out)
	}
	// Writing to a buffer does not fail.
	_, _ = io.WriteString(p.w, block)
	_ = p.w.Close()
	return p.out.Bytes()
}

// blockDictionary returns the text that compressed MOL blocks may refer to: lines that most
// of them have. It is part of the format and must not change.
func blockDictionary() []byte {
	var b strings.Builder
	for _, element := range []string{"I ", "Br", "P ", "F ", "Cl", "S ", "H ", "N ", "O ", "C "} {
		fmt.Fprintf(&b, "    1.2345   -0.6789    0.0000 %s  0  0  0  0  0  0  0  0  0  0  0  0\n", element)
	}
	b.WriteString("M  CHG  2   1   1   2  -1\nM  ISO  1   1   2\nM  RAD  1   1   2\nM  V30 BEGIN CTAB\nM  END\n")
	for from := range 30 {
		for order := 2; order > 0; order-- {
			fmt.Fprintf(&b, "%3d%3d%3d  0\n", from+1, from+2, order)
		}
	}
	b.WriteString("\n     RDKit          2D\n\n 20 21  0  0  0  0  0  0  0  0999 V2000\n")
	return []byte(b.String())
}
