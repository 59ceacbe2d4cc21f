package evaluate

// totals aggregates every selected measure and aggregate once more, from the base rows of what passed (decision 36).
func (r *run) totals(a *Answer, kept *group) error {
	if !r.input.Query.ReturnTotal {
		return nil
	}
	a.Totals = []Total{}
	if r.overlapping() && len(r.after)+len(r.last) > 0 {
		return refuse("overlapping", "groups that passed overlap")
	}
	for _, o := range r.columns {
		n := o.node
		if m := r.measureOf(o.expr); m != nil {
			var err error
			if n, err = r.measure(m); err != nil {
				return err
			}
		}
		if n.level != perGroup {
			continue
		}
		if len(n.loose) > 0 {
			return unclear("the total of an aggregate beside a key")
		}
		v, err := n.eval(kept.over(true))
		if err != nil {
			return err
		}
		for _, fact := range r.factsIn(o.expr) {
			if !r.enough(fact, kept.parts[fact]) {
				v = Value{}
			}
		}
		key := o.Key
		if key == "total" {
			key = o.expr.String()
		}
		a.Totals = append(a.Totals, Total{key, v})
	}
	return nil
}
