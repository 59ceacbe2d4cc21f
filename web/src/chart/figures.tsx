import { isolate } from "../bidi"
import { figureText, type ChartData } from "./data"
import { fit, small, widthOf } from "./layout"
import type { Palette } from "./palette"

/** nameOf is the name of a figure with its unit, as far as there is room. */
function nameOf(name: string, unit: string, room: number): string {
  const behind = unit && widthOf(unit) < room / 3 ? ` (${isolate(unit)})` : ""
  return isolate(fit(name, (room - widthOf(behind)) * (small / 13))) + behind
}

/** Single values, large, with their names. */
export function Figures({ data, width, colours }: { data: ChartData; width: number; colours: Palette }) {
  const texts = data.series.map((s) => figureText(s.cells[0], s.column))
  const wide = Math.max(...texts.map((text) => (widthOf(text) / small) * 36), ...data.series.map((s) => widthOf(s.name) + 30)) + 40
  const perLine = Math.max(1, Math.min(texts.length, Math.floor(width / wide)))
  const lines = Math.ceil(texts.length / perLine)
  const high = 104
  return (
    <svg viewBox={`0 0 ${width} ${lines * high}`} width={width} height={lines * high}>
      {data.series.map((s, i) => (
        <g key={i} transform={`translate(${8 + (i % perLine) * (width / perLine)}, ${Math.floor(i / perLine) * high})`}>
          <text y={34} font-size={13} fill={colours.soft}>
            {nameOf(s.name, s.column.unit, width / perLine - 30)}
          </text>
          <text y={76} font-size={36} font-weight={600} letter-spacing="-0.02em" fill={colours.ink}>
            {texts[i]}
          </text>
        </g>
      ))}
    </svg>
  )
}
