package service

import "parlance/internal/semantic"

// waiting returns the models that the caller may see and that have not been held against their database yet. They may be
// named to the caller; nothing else is told of them.
func (v view) waiting() []seen { return v.visible(v.generation.Waiting) }

// waitingModel returns the waiting model of a name, or nil.
func (v view) waitingModel(name string) *semantic.Model {
	for _, m := range v.generation.Waiting {
		if m.Name == name {
			return m
		}
	}
	return nil
}
