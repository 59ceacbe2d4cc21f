package compile_test

import "testing"

func TestShopLoads(t *testing.T) {
	for name, m := range shop(t) {
		t.Log(name, len(m.Fields()))
	}
}
