// Data beside words: a value that is read from right to left, or that turns what follows it, stays within itself.

/** What is read from right to left or turns the direction of text. */
const turning = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

const [begin, end] = ["\u2068", "\u2069"]

/** isolate keeps a text from turning its neighbours; one that cannot is returned as it is. */
export function isolate(text: string): string {
  return turning.test(text) ? begin + closed(text) + end : text
}

/** closed leaves out of a text what would end its isolation: ends without a beginning, and the ends of paragraphs. */
function closed(text: string): string {
  let open = 0
  return text.replace(/[\u2066-\u2069\n\r\x1c-\x1e\x85\u2029]/g, (sign) => {
    if (sign !== end) return sign >= "\u2066" && sign < end ? (open++, sign) : " "
    return open > 0 ? (open--, sign) : ""
  }) + end.repeat(open)
}
