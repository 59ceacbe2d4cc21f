package rollup

import "time"

func (k *Keeper) save(*Build, *defined) error                         { return nil }
func (k *Keeper) restore(of key, e *entry, d *defined, now time.Time) {}
