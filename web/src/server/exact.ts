// JSON whose numbers keep all their digits: what a double cannot hold stays text. Everything that the page reads from the
// server or from a link, and everything that it writes to either, goes through parse and write.

/** A number that a double would alter, or whose digits count. Its text is a number of JSON. */
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
  /** JSON.stringify writes all digits too: as a number where the browser can, else as text, which the server reads alike. */
  toJSON(): unknown {
    const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown }
    return rawJSON ? rawJSON(this.text) : this.text
  }
}

const risky = /[\d.]{16}|\d[eE][+-]?\d{3}/

/** parse reads JSON. It throws a SyntaxError. */
export function parse(text: string): unknown {
  return risky.test(text) ? new Reader(text).read() : JSON.parse(text)
}

/** parseDigits reads JSON and keeps every number as it is written: 1.50 stays 1.50. It throws a SyntaxError. */
export function parseDigits(text: string): unknown {
  return new Reader(text, { digits: true }).read()
}

/** parseUnique reads JSON in which no object has a key twice, as the server does. It throws a SyntaxError. */
export function parseUnique(text: string): unknown {
  return new Reader(text, { unique: true }).read()
}

const deepest = 500
const special = /[\\\u0000-\u001f]/ // what a string of JSON has in another form, or cannot have
const wordPattern = /[-+.\w]+/y
const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

class Reader {
  private at = 0
  private depth = 0
  private readonly text: string
  private readonly rules: { unique?: boolean; digits?: boolean }

  constructor(text: string, rules: { unique?: boolean; digits?: boolean } = {}) {
    this.text = text
    this.rules = rules
  }

  read(): unknown {
    const value = this.value()
    this.space()
    if (this.at < this.text.length) this.fail()
    return value
  }

  private value(): unknown {
    this.space()
    const c = this.text[this.at]
    if (c === "{") return this.nested(() => this.object())
    if (c === "[") return this.nested(() => this.array())
    if (c === '"') return this.string()
    return this.word()
  }

  private nested<T>(read: () => T): T {
    if (++this.depth > deepest) this.fail()
    const value = read()
    this.depth--
    return value
  }

  private object(): Record<string, unknown> {
    const object: Record<string, unknown> = {}
    this.items("}", () => {
      this.space()
      if (this.text[this.at] !== '"') this.fail()
      const key = this.string()
      this.space()
      if (this.text[this.at] !== ":") this.fail()
      this.at++
      const value = this.value()
      if (this.rules.unique && Object.hasOwn(object, key)) throw new SyntaxError(`${write(key)} stands twice in one object`)
      if (key === "__proto__") Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
      else object[key] = value
    })
    return object
  }

  private array(): unknown[] {
    const array: unknown[] = []
    this.items("]", () => array.push(this.value()))
    return array
  }

  private items(end: string, read: () => void): void {
    this.at++
    this.space()
    if (this.text[this.at] === end) {
      this.at++
      return
    }
    for (;;) {
      read()
      this.space()
      const c = this.text[this.at++]
      if (c === end) return
      if (c !== ",") {
        this.at--
        this.fail()
      }
    }
  }

  private string(): string {
    let end = this.at
    do end = this.text.indexOf('"', end + 1)
    while (end > 0 && this.escaped(end))
    if (end < 0) this.fail()
    const text = this.text.slice(this.at, end + 1)
    this.at = end + 1
    return special.test(text) ? (JSON.parse(text) as string) : text.slice(1, -1)
  }

  private escaped(at: number): boolean {
    let slashes = 0
    while (this.text[at - 1 - slashes] === "\\") slashes++
    return slashes % 2 === 1
  }

  private word(): unknown {
    wordPattern.lastIndex = this.at
    const word = wordPattern.exec(this.text)?.[0] ?? ""
    const number = isNumber(word)
    if (!number && word !== "true" && word !== "false" && word !== "null") this.fail()
    this.at += word.length
    if (!number) return word === "null" ? null : word === "true"
    return this.rules.digits ? new Exact(word) : numberOf(word)
  }

  private space(): void {
    for (let c = this.text.charCodeAt(this.at); c === 32 || c === 10 || c === 13 || c === 9; c = this.text.charCodeAt(this.at)) this.at++
  }

  private fail(): never {
    throw new SyntaxError(this.at < this.text.length ? `${write(this.text.slice(this.at, this.at + 20))} at position ${this.at}` : "the text ends too early")
  }
}

function isNumber(text: string): boolean {
  return numberPattern.test(text)
}

/** numberOf reads a number of JSON. */
function numberOf(text: string): number | Exact {
  const number = Number(text)
  return text.length <= 15 && !/[eE]/.test(text) ? number : canonical(String(number)) === canonical(text) ? number : new Exact(text)
}

/** canonical writes a decimal number in its only form without zeros at either end; Infinity has none. */
function canonical(text: string): string {
  const [, sign, whole = "", fraction = "", power = "0"] = /^([-+]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, "")
  let end = digits.length
  while (digits[end - 1] === "0") end--
  if (end === 0) return whole ? "0" : ""
  return `${sign === "-" ? "-" : ""}${digits.slice(0, end)}e${Number(power) - fraction.length + digits.length - end}`
}

/** write is the inverse of parse. Equal values have equal texts, so that a text can be the key of a Map. */
export function write(value: unknown, indent = 0): string {
  return written(value, indent, "\n")
}

function written(value: unknown, indent: number, line: string): string {
  if (value instanceof Exact) return value.text
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  const inner = indent ? line + " ".repeat(indent) : ""
  const outer = indent ? line : ""
  const deeper = line + " ".repeat(indent)
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]"
    return `[${inner}${value.map((v) => written(v, indent, deeper)).join("," + inner)}${outer}]`
  }
  const members = Object.entries(value).filter(([, v]) => v !== undefined)
  if (members.length === 0) return "{}"
  return `{${inner}${members.map(([k, v]) => JSON.stringify(k) + (indent ? ": " : ":") + written(v, indent, deeper)).join("," + inner)}${outer}}`
}

/** copy returns a tree that shares nothing with another but its leaves. */
export function copy<T>(value: T): T {
  if (typeof value !== "object" || value === null || value instanceof Exact) return value
  if (Array.isArray(value)) return value.map(copy) as T
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, copy(v) as unknown])) as T
}
