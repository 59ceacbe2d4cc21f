package stage

import (
	"context"
	"testing"
	"time"
)

type seen []string

func (s *seen) Spent(stage Stage, begun time.Time, took time.Duration) {
	if took >= 0 && !begun.After(time.Now()) {
		*s = append(*s, stage.String())
	}
}

func TestStagesAreToldToTheObserverOfTheContext(t *testing.T) {
	var list seen
	ctx := With(context.Background(), &list)
	for s := range Stage(Count) {
		Start(ctx, s).End()
	}
	if len(list) != 6 || list[0] != "decode" || list[5] != "send" {
		t.Errorf("seen %v", list)
	}
}

func TestStagesOfAnotherContextAreToldToTheSame(t *testing.T) {
	var list seen
	Start(Carry(context.Background(), With(context.Background(), &list)), Run).End()
	Start(Carry(context.Background(), context.Background()), Run).End()
	if len(list) != 1 || list[0] != "run" {
		t.Errorf("seen %v", list)
	}
}

func TestNobodyIsWatched(t *testing.T) {
	timer := Start(context.Background(), Run)
	if !timer.begun.IsZero() {
		t.Error("the clock is read for nobody")
	}
	timer.End()
	if n := testing.AllocsPerRun(100, func() { Start(context.Background(), Run).End() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
