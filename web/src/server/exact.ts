// JSON whose numbers keep all their digits: what a double cannot hold stays text.

/** A number with more digits than a double has. */
export class Exact {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  valueOf(): number {
    return Number(this.text)
  }
  toString(): string {
    return this.text
  }
}

const doubleDigits = 15

/** parse reads JSON; numbers of more than fifteen digits become Exact where the browser tells their text. */
export function parse(text: string): unknown {
  if (!/[\d.]{16}/.test(text)) return JSON.parse(text)
  return (JSON.parse as (t: string, r: (k: string, v: unknown, c?: { source?: string }) => unknown) => unknown)(
    text,
    (_key, value, context) => {
      if (typeof value !== "number" || context?.source === undefined) return value
      return digits(context.source) > doubleDigits ? new Exact(context.source) : value
    },
  )
}

function digits(source: string): number {
  return source.replace(/[eE].*$/, "").replace(/[-.]/g, "").replace(/^0+/, "").length
}
