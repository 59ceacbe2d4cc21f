package service

// serves reports whether a stale value may be used while it is computed again.
func (m *memo[K, V]) serves(e *memoEntry[V]) bool {
	now := m.now()
	return e.ok && !now.Before(e.made) && now.Before(e.expires.Add(m.grace))
}

// settle takes the weight of a finished entry into account. One that renews another takes its place; where it failed, the
// old one stays as long as it may be used.
func (m *memo[K, V]) settle(key K, e *memoEntry[V]) {
	weight := 0
	if m.weigh != nil && e.ok {
		weight = m.weigh(e.value)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if old := m.entries[key]; old != e {
		if old == nil || old.renewal != e {
			return // it was dropped meanwhile, or is computed anew
		}
		if old.renewal = nil; !e.ok && m.serves(old) {
			return
		}
		m.drop(key)
		m.entries[key] = e
	}
	e.weight = weight
	m.weight += weight
	m.lighten(key)
}

// drop forgets an entry.
func (m *memo[K, V]) drop(key K) {
	if e, ok := m.entries[key]; ok {
		m.weight -= e.weight
		delete(m.entries, key)
	}
}

// lighten drops entries, stale ones first, until the rest weighs no more than it may. The newest stays.
func (m *memo[K, V]) lighten(newest K) {
	for _, onlyStale := range []bool{true, false} {
		for k, e := range m.entries {
			if m.most == 0 || m.weight <= m.most {
				return
			}
			if k != newest && e.weight > 0 && (!onlyStale || m.stale(e)) {
				m.drop(k)
			}
		}
	}
}
