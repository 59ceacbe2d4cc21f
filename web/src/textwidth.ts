/** textWidth is about how wide a text stands in a line, in pixels. */
export function textWidth(text: string, size = 14): number {
  let em = 0
  for (const c of text) em += c > "\u2e80" ? 1 : /[mwMW%@]/.test(c) ? 0.88 : /[A-Z0-9]/.test(c) ? 0.65 : /[fijlrtI.,:;'|!()[\] ]/.test(c) ? 0.35 : 0.58
  return em * size
}
