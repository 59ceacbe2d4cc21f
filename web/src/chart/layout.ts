// Where things stand in a chart.
import { textWidth } from "../table/grid"

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

/** fit shortens a text to about a width. */
export function fit(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let end = text.length
  while (end > 1 && widthOf(text.slice(0, end) + "…") > width) end--
  return text.slice(0, end).trimEnd() + "…"
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

/** every returns a step so that labels along an axis do not touch. */
export function every(labels: string[], room: number): number {
  const widest = Math.max(...labels.map(widthOf), 1) + 14
  return Math.max(1, Math.ceil((widest * labels.length) / Math.max(room, 1)))
}
