package chart

import "math"

// scale maps numbers to places.
type scale struct {
	from, to   float64 // numbers
	start, end float64 // places
}

func (s scale) at(v float64) float64 {
	if s.to == s.from {
		return s.start
	}
	return s.start + (v-s.from)/(s.to-s.from)*(s.end-s.start)
}

const maxTicks = 6

// axis returns round ends and steps around two numbers, zero among them unless the numbers are close together and far
// from it.
func axis(least, most float64, zero bool) (from, to, step float64) {
	if zero || least <= 0 || most-least > most/4 {
		least, most = min(least, 0), max(most, 0)
	}
	if least == most {
		most = least + 1
	}
	step = roundStep((most - least) / (maxTicks - 1))
	from, to = math.Floor(least/step)*step, math.Ceil(most/step)*step
	for math.Round((to-from)/step) > maxTicks {
		step = roundStep(step * 1.5)
		from, to = math.Floor(least/step)*step, math.Ceil(most/step)*step
	}
	return from, to, step
}

// roundStep returns the least of 1, 2, 2.5 and 5 times a power of ten that is no less than a step.
func roundStep(step float64) float64 {
	power := math.Pow10(int(math.Floor(math.Log10(step))))
	for _, n := range []float64{1, 2, 2.5, 5} {
		if n*power >= step*(1-1e-9) {
			return n * power
		}
	}
	return 10 * power
}

// ticks returns the round numbers of an axis.
func ticks(from, to, step float64) []float64 {
	var all []float64
	for i := range maxTicks + 2 {
		v := from + float64(i)*step
		if v > to+step/1000 {
			break
		}
		if math.Abs(v) < step/1000 {
			v = 0
		}
		all = append(all, v)
	}
	return all
}
