package semantic

import "strings"

// Field returns the field of a fact that a field of the multi-fact model stands for, or nil when the fact does not
// have it: date$caption of the model is orderDate$caption of the orders. A measure belongs to one fact only.
func (mf *MultiFact) Field(fact *Model, f *Field) *Field {
	if f.Measure != nil {
		if f.Measure.Of == nil || f.Measure.Of.Fact != fact {
			return nil
		}
		return fact.Field(f.Measure.Of.Measure.Name)
	}
	for _, s := range mf.Share {
		if rest, ok := strings.CutPrefix(f.Name, s.Name); ok && rest != "" && (rest[0] == '$' || rest[0] == '.') {
			return fact.Field(s.In[fact.Name] + rest)
		}
	}
	return nil
}
