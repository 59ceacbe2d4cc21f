// Values that differ from run to run of a loop and are the same every time.

export class Random {
  private state: number
  constructor(seed: number) {
    this.state = seed
  }

  /** below returns a whole number from 0 to n-1. */
  below(n: number): number {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0
    return Math.floor((this.state / 2 ** 32) * n)
  }

  of<T>(all: readonly T[]): T {
    return all[this.below(all.length)] as T
  }

  list<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.below(most + 1) }, make)
  }
}

const texts = ["", "a", "a,b", "[x]", "{", "\"", " lead", "trail ", "customer$caption", "sum(x) as y", "sum(if(a, b, c)) as z", "-x", "x desc", "数量", "\ud83d\ude00", "\ud800", "a&b=c#d+e%20", "__proto__", "1", "null", "true", "'", "line\nbreak", "\u0000"]
const numbers = ["0", "-1", "1.5", "9007199254740991", "9007199254740993", "-9223372036854775808", "18446744073709551615", "0.1", "0.1234567890123456789", "1e400", "1E-400", "123456789012345678901234567890.000001", "1.50"]

/** jsonText writes a value of JSON, as text, with everything that is hard to keep. */
export function jsonText(r: Random, depth = 3): string {
  switch (r.below(depth > 0 ? 6 : 4)) {
    case 0:
      return r.of(["true", "false", "null"])
    case 1:
      return r.of(numbers)
    case 2:
    case 3:
      return JSON.stringify(r.of(texts))
    case 4:
      return `[${r.list(4, () => jsonText(r, depth - 1)).join(",")}]`
  }
  const keys = [...new Set(r.list(4, () => r.of(texts)))]
  return `{${keys.map((k) => `${JSON.stringify(k)}:${jsonText(r, depth - 1)}`).join(",")}}`
}
