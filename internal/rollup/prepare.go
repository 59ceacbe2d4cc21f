package rollup

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"parlance/internal/compile"
	"parlance/internal/compile/resolve"
	"parlance/internal/compile/reuse"
	"parlance/internal/fault"
	"parlance/internal/semantic"
)

// prepared is the rollups of one model as its present generation defines them.
type prepared struct {
	day     time.Time // that relative dates of definitions count from
	rollups []*defined
}

// defined is one rollup, ready to be built. What is wrong with it is kept in err.
type defined struct {
	rollup      *semantic.Rollup
	definition  *reuse.Definition
	extract     *compile.Extract
	fingerprint string
	err         error
}

// usable reports whether a build may be read.
func (d *defined) usable(b *Build, now time.Time) bool {
	if d.err != nil || b == nil || b.broken || b.Fingerprint != d.fingerprint {
		return false
	}
	age := now.Sub(b.At)
	return age >= -skew && (d.rollup.MaxAge == 0 || age <= d.rollup.MaxAge)
}

// skew is how far a clock may be turned back before the age of a build is not known any more.
const skew = time.Minute

// prepare returns the rollups of a model. The lock is held.
func (k *Keeper) prepare(m *semantic.Model, now time.Time) *prepared {
	day := resolve.Day(now, m.Calendar)
	p := k.prepared[m]
	if p != nil && p.day.Equal(day) {
		return p
	}
	p = &prepared{day: day}
	for _, r := range m.Rollups {
		p.rollups = append(p.rollups, k.define(m, r, now))
	}
	k.prepared[m] = p
	return p
}

func (k *Keeper) define(m *semantic.Model, r *semantic.Rollup, now time.Time) *defined {
	d := &defined{rollup: r}
	origin, ok := k.Origins[m.Datasource]
	if !ok {
		d.err = fault.Internalf(fmt.Errorf("datasource %q is not open", m.Datasource), "Model %q has no datasource", m.Name)
		return d
	}
	if k.storeOf(m, r) == nil {
		d.err = fault.Invalidf("bad_rollup", "", "Rollup %q of model %q cannot be kept in its database, in which no tables can be made", r.Name, m.Name)
		return d
	}
	if d.definition, d.err = reuse.Define(m, r, now); d.err != nil {
		return d
	}
	if d.extract, d.err = compile.All(d.definition.Build(), origin.Dialect()); d.err != nil {
		return d
	}
	d.fingerprint = k.fingerprint(m, d)
	return d
}

// fingerprint tells definitions apart that keep different things: the statement with its arguments, what each column is,
// and the database.
func (k *Keeper) fingerprint(m *semantic.Model, d *defined) string {
	h := sha256.New()
	fmt.Fprintf(h, "1 %t %q %q %q", d.rollup.InSource, m.Datasource, k.Marks[m.Datasource], d.extract.Statement.SQL)
	for _, a := range d.extract.Statement.Args {
		fmt.Fprintf(h, " %T %q", a, fmt.Sprint(a))
	}
	for _, c := range d.definition.Columns {
		fmt.Fprintf(h, " %s %v %d %q", c.Name, c.Type, c.Grain, c.Source.String())
	}
	return hex.EncodeToString(h.Sum(nil))
}

// forget drops what was prepared for models of earlier generations. The lock is held.
func (k *Keeper) forget(present map[*semantic.Model]bool) {
	for m := range k.prepared {
		if !present[m] {
			delete(k.prepared, m)
		}
	}
}
