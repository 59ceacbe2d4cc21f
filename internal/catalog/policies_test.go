package catalog

import (
	"strings"
	"testing"
)

// TestPoliciesThatDisappear: a file of policies that is taken away keeps the earlier rules in force, until it is back.
func TestPoliciesThatDisappear(t *testing.T) {
	files := map[string]string{"a.yaml": goodModel, "policies.yaml": "closed: {for: [A], models: {roles: [admin]}}\n"}
	load := func(before *Generation) (*Generation, []Problem) {
		return Load(t.Context(), Options{FS: mapFS(files), Previous: before})
	}
	first, problems := load(nil)
	if len(problems) > 0 || first.ByName["A"].Access == nil {
		t.Fatal(problems)
	}
	delete(files, "policies.yaml")
	open, problems := load(first)
	if open != nil || len(problems) != 1 || !strings.Contains(problems[0].String(), "policies.yaml: the file of policies is gone") {
		t.Errorf("loaded %v: %v", open, problems)
	}
	files["policies.yaml"] = "closed: {for: [A], models: {roles: [owner]}}\n"
	back, problems := load(first)
	if len(problems) > 0 || back.ByName["A"].Access.Roles[0] != "owner" {
		t.Errorf("%v", problems)
	}
	delete(files, "policies.yaml")
	if anew, problems := load(nil); len(problems) > 0 || anew.ByName["A"].Access != nil {
		t.Errorf("after a new start: %v", problems)
	}
}

// TestPoliciesThatNobodyUses: a block that narrows nothing is a mistake.
func TestPoliciesThatNobodyUses(t *testing.T) {
	_, problems := Load(t.Context(), Options{FS: mapFS(map[string]string{"a.yaml": goodModel, "policies.yaml": "idle: {models: {roles: [admin]}}\n"})})
	if len(problems) != 1 || problems[0].String() != `policies.yaml:1:1: no model uses policy "idle", and it says for none that it holds` {
		t.Error(problems)
	}
}
