package chart

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"time"
)

// periodForms are the labels that name a period, with the place of each on a scale of whole steps.
var periodForms = []struct {
	form  *regexp.Regexp
	place func(m []string) (float64, bool)
}{
	{regexp.MustCompile(`^(\d{4})$`), func(m []string) (float64, bool) { return whole(m[1]), true }},
	{regexp.MustCompile(`^(\d{4})-Q([1-4])$`), func(m []string) (float64, bool) { return whole(m[1])*4 + whole(m[2]), true }},
	{regexp.MustCompile(`^(\d{4})-(0[1-9]|1[0-2])$`), func(m []string) (float64, bool) { return whole(m[1])*12 + whole(m[2]), true }},
	{regexp.MustCompile(`^(\d{4})-W(0[1-9]|[1-4]\d|5[0-3])$`), func(m []string) (float64, bool) {
		return math.Round(isoMonday(int(whole(m[1])), int(whole(m[2]))) / 7), true
	}},
	{regexp.MustCompile(`^(\d{4}-\d\d-\d\d)$`), func(m []string) (float64, bool) { return day(m[1]) }},
	{regexp.MustCompile(`^(\d{4}-\d\d-\d\d)[T ](\d\d)(?::00(?::00)?)?$`), func(m []string) (float64, bool) {
		d, ok := day(m[1])
		return d*24 + whole(m[2]), ok && whole(m[2]) < 24
	}},
}

func whole(digits string) float64 {
	n, _ := strconv.Atoi(digits)
	return float64(n)
}

func day(text string) (float64, bool) {
	t, err := time.Parse(time.DateOnly, text)
	return float64(t.Unix() / 86400), err == nil
}

// isoMonday returns the day on which an ISO week begins.
func isoMonday(year, week int) float64 {
	fourth := time.Date(year, time.January, 4, 0, 0, 0, 0, time.UTC) // always in week 1
	monday := fourth.AddDate(0, 0, -(int(fourth.Weekday())+6)%7+7*(week-1))
	return float64(monday.Unix() / 86400)
}

// placesOf returns where labels stand in time, when they are all periods of one kind and each comes after the one before
// it.
func placesOf(labels []string) []float64 {
	for _, p := range periodForms {
		places := make([]float64, 0, len(labels))
		for _, label := range labels {
			m := p.form.FindStringSubmatch(label)
			if m == nil {
				break
			}
			place, ok := p.place(m)
			if !ok || len(places) > 0 && place <= places[len(places)-1] {
				break
			}
			places = append(places, place)
		}
		if len(places) == len(labels) && len(labels) > 0 {
			return places
		}
	}
	return nil
}

// usualStep returns the median distance of neighbours.
func usualStep(places []float64) float64 {
	if len(places) < 2 {
		return 1
	}
	distances := make([]float64, len(places)-1)
	for i := range distances {
		distances[i] = places[i+1] - places[i]
	}
	slices.Sort(distances)
	return distances[(len(distances)-1)/2]
}
