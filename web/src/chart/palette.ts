// The colours of charts. Series have Okabe and Ito's colours, which people with any colour blindness can tell apart, a
// little lighter where the ground is dark. Charts carry their colours themselves, so that a saved one looks the same.
import { dark } from "../frame/appearance"

export interface Palette {
  ground: string
  ink: string
  soft: string
  line: string
  series: string[]
  rest: string
  heat: [low: [number, number, number], high: [number, number, number]]
}

const light: Palette = {
  ground: "#ffffff",
  ink: "#1b1e23",
  soft: "#5c626c",
  line: "#e6e6e1",
  series: ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#7a7f87", "#3a3f47"],
  rest: "#b4b8bf",
  heat: [[232, 240, 247], [8, 69, 121]],
}

const night: Palette = {
  ground: "#1a1d21",
  ink: "#e9ebee",
  soft: "#a3aab4",
  line: "#30353c",
  series: ["#4da3df", "#e69f00", "#1fb88d", "#d98bb5", "#8fd0f7", "#ef7d2d", "#9aa1ab", "#d5d9df"],
  rest: "#5d646e",
  heat: [[33, 45, 57], [134, 199, 250]],
}

export function palette(): Palette {
  return dark.value ? night : light
}

/** heat returns the colour of a share between 0 and 1. */
export function heat(p: Palette, share: number): string {
  const [low, high] = p.heat
  const mix = low.map((l, i) => Math.round(l + ((high[i] ?? 0) - l) * share))
  return `rgb(${mix.join(", ")})`
}

/** onHeat returns the ink that is read best on that colour. */
export function onHeat(p: Palette, share: number): string {
  const [low, high] = p.heat
  const [r = 0, g = 0, b = 0] = low.map((l, i) => luminance(l + ((high[i] ?? 0) - l) * share))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18 ? "#10151b" : "#ffffff"
}

function luminance(part: number): number {
  const c = part / 255
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
}
