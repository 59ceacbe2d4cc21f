package resolve

import (
	"parlance/internal/access"
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// stars stand for what a mask leaves out.
const stars = "***"

// masked returns what the grant shows of a field: its value, or a mask of it. A mask reads the column even where it
// shows nothing of it, so it stands wherever the field could.
func (r *resolver) masked(f *semantic.Field, e Expr) Expr {
	if r.shown != nil && r.grant.Field(f) == access.Masked {
		r.shown[f.Name] = true
	}
	mask := r.grant.Mask(f)
	if mask == semantic.NoMask {
		return e // not masked, or made from a masked field, which has been masked
	}
	if e.Type().Kind != value.String {
		mask = semantic.MaskNull
	}
	if mask == semantic.MaskHash && r.grant.HashKey() == "" {
		mask = semantic.MaskFull // without a key anybody could compute what a text becomes
	}
	null := op(IsNull, boolean, e)
	length := op(Length, integer, e)
	switch mask {
	case semantic.MaskFirst:
		return when(e, null, longer(length, 1), op(Concat, text, op(Left, text, e, one), Text(stars)))
	case semantic.MaskLast4:
		return when(e, null, longer(length, 4), op(Concat, text, Text(stars), op(Right, text, e, whole(4))))
	case semantic.MaskEmail:
		return emailOf(e, null)
	case semantic.MaskHash:
		return op(Digest, text, e, Text(r.grant.HashKey()))
	case semantic.MaskNull:
		return nothingOf(e)
	case semantic.MaskFull, semantic.NoMask:
	}
	return op(Case, text, null, Text(stars), Text(stars))
}

// emailOf shows the first letter of a name of several and the domain; what has no @ or several is no address.
func emailOf(e, null Expr) Expr {
	sign := op(Position, integer, e, Text("@"))
	domain := op(Substring, text, e, sign)
	several := longer(op(Position, integer, op(Substring, text, domain, whole(2)), Text("@")), 0)
	letter := op(Case, text, longer(sign, 2), op(Left, text, e, one), Text(""))
	return op(Case, text, null, Literal{T: e.Type()}, several, Text(stars), longer(sign, 1), op(Concat, text, letter, Text(stars), domain), Text(stars))
}

// nothingOf is null whatever a value is. It still reads the value, and so stands for rows where that does.
func nothingOf(e Expr) Expr {
	return op(Case, e.Type(), op(IsNull, boolean, e), Literal{T: e.Type()}, Literal{T: e.Type()})
}

// ofMask reports whether a label or a grain is made from the mask of another field. One that a rule keeps, or gives a mask
// of its own, is made from the raw value.
func (r *resolver) ofMask(f *semantic.Field) bool {
	return r.grant.Field(f) == access.Masked && r.grant.Mask(f) == semantic.NoMask
}

// when is null for a null, some text where there is enough of it to leave something out, and stars for the rest.
func when(e, null, enough, shown Expr) Expr {
	return op(Case, text, null, Literal{T: e.Type()}, enough, shown, Text(stars))
}

func longer(length Expr, than int64) Expr { return op(Gt, boolean, length, whole(than)) }

func whole(n int64) Literal { return Literal{V: value.Of(value.Integer, itoa(int(n))), T: integer} }

// masks reports whether the caller sees nothing of a measure but that it is there.
func (r *resolver) masks(m *semantic.Measure) bool {
	if r.grant.Field(r.model.Field(m.Name)) != access.Masked {
		return false
	}
	if r.shown != nil {
		r.shown[m.Name] = true
	}
	return true
}

func ofFact(m *semantic.Measure) *semantic.Model {
	if m.Of == nil {
		return nil
	}
	return m.Of.Fact
}

// unmasked refuses a clause that needs the raw values of a masked field.
func (r *resolver) unmasked(f *semantic.Field, name, path string) error {
	if r.grant.Field(f) != access.Masked {
		return nil
	}
	return maskedHere(name, path)
}

// open reports whether the caller sees every field of an expression of the model's as it is.
func (r *resolver) open(e query.Expr) bool {
	open := true
	query.Walk(e, func(x query.Expr) bool {
		if name, ok := isRef(x); ok && r.grant.Field(r.model.Field(name)) != access.Visible {
			open = false
		}
		return open
	})
	return open
}
