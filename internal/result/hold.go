package result

// Hold counts n bytes that an answer on its way takes beside those of encoders, until the returned function is called. What
// a budget does not count is not counted here either.
func (b *Budget) Hold(n int64) (give func(), err error) {
	if b == nil || n <= uncounted {
		return func() {}, nil
	}
	if err := b.take(n, n); err != nil {
		return nil, err
	}
	return func() { b.give(n) }, nil
}
