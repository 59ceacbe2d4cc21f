// Where things stand in a chart.
import { textWidth } from "../textwidth"

export interface Box {
  width: number
  height: number
  top: number
  right: number
  bottom: number
  left: number
}

export const small = 12

export function widthOf(text: string): number {
  return textWidth(text, small)
}

const mostSigns = 200 // more than any place in a chart holds

/** fit shortens a text to about a width. */
export function fit(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  const signs = [...text].slice(0, mostSigns)
  while (signs.length > 1 && widthOf(signs.join("") + "…") > width) signs.pop()
  return signs.join("").trimEnd() + "…"
}

export interface LegendItem {
  name: string
  x: number
  y: number
}

const legendLine = 20

/** legend places names beside each other, in as many lines as they need. */
export function legend(names: string[], width: number): { items: LegendItem[]; height: number } {
  if (names.length < 2) return { items: [], height: 0 }
  let x = 0
  let y = 0
  const items = names.map((full) => {
    const name = fit(full, 180)
    const wide = widthOf(name) + 34
    if (x > 0 && x + wide > width) [x, y] = [0, y + legendLine]
    const item = { name, x, y }
    x += wide
    return item
  })
  return { items, height: y + legendLine + 8 }
}

/** A text below a chart. */
export interface Tick {
  at: number
  text: string
}

const apart = 14 // between two texts

/** evenTicks are as many of the labels as stand beside each other, every so many of them; step is between two labels. */
export function evenTicks(labels: string[], at: (i: number) => number, step: number): Tick[] {
  const widest = Math.max(...labels.map(widthOf), 1) + apart
  const every = Math.max(1, Math.ceil(widest / Math.max(step, 0.01)))
  return labels.flatMap((text, i) => (i % every === 0 ? [{ at: at(i), text: fit(text, step * every) }] : []))
}

/** spacedTicks are those of some texts that touch neither the one before nor one that is kept, and these. */
export function spacedTicks(all: Tick[], kept: Tick[] = []): Tick[] {
  const shown: Tick[] = []
  for (const tick of all) if (![shown[shown.length - 1], ...kept].some((other) => other && touch(other, tick))) shown.push(tick)
  return [...shown, ...kept]
}

function touch(a: Tick, b: Tick): boolean {
  return Math.abs(a.at - b.at) < (widthOf(a.text) + widthOf(b.text)) / 2 + apart
}
