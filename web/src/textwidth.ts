// How wide texts stand on the page.

const size100 = 100
const mostKept = 5000

const kept = new Map<string, number>()
let pen: CanvasRenderingContext2D | null | undefined

/** textWidth is how wide a text stands in a line, in pixels; digits all count as wide as the widest. */
export function textWidth(text: string, size = 14): number {
  const shape = text.replace(/\d/g, "0")
  let width = kept.get(shape)
  if (width === undefined) {
    if (kept.size > mostKept) kept.clear()
    kept.set(shape, (width = measured(shape) ?? guessed(shape)))
  }
  return width * size
}

/** measured asks the browser; there is none where the page's modules run without one. */
function measured(text: string): number | undefined {
  pen ??= document.createElement?.("canvas").getContext("2d") ?? null
  if (!pen) return undefined
  pen.font = `${size100}px ${getComputedStyle(document.documentElement).getPropertyValue("--font")}`
  return pen.measureText(text).width / size100
}

function guessed(text: string): number {
  let em = 0
  for (const c of text) em += c > "\u2e80" ? 1 : /[mwMW%@]/.test(c) ? 0.88 : /[A-Z0-9]/.test(c) ? 0.65 : /[fijlrtI.,:;'|!()[\] ]/.test(c) ? 0.35 : 0.58
  return em
}
