import type { ScaleLinear } from "d3-scale"
import type { ResultColumn } from "../table/columns"
import { axisTexts, axisValues } from "./data"
import { small, widthOf, type Box, type LegendItem, type Tick } from "./layout"
import type { Palette } from "./palette"

export const fontFamily = "Inter, system-ui, 'Noto Sans', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif"

interface ValueAxisProps {
  scale: ScaleLinear<number, number>
  box: Box
  column: ResultColumn
  colours: Palette
  lying?: boolean // values run to the right instead of up
}

/** The axis of values: faint lines with compact numbers. */
export function ValueAxis({ scale, box, column, colours, lying }: ValueAxisProps) {
  const ticks = axisValues(scale, lying ? Math.max(2, Math.floor((box.width - box.left - box.right) / 110)) : 5, column)
  const texts = axisTexts(ticks, column)
  return (
    <g font-size={small} fill={colours.soft}>
      {ticks.map((v, i) => {
        const at = Math.round(scale(v)) + 0.5
        return lying ? (
          <g key={v}>
            <line x1={at} x2={at} y1={box.top} y2={box.height - box.bottom} stroke={v === 0 ? colours.soft : colours.line} />
            <text x={at} y={box.height - box.bottom + 18} text-anchor="middle">
              {texts[i]}
            </text>
          </g>
        ) : (
          <g key={v}>
            <line x1={box.left} x2={box.width - box.right} y1={at} y2={at} stroke={v === 0 ? colours.soft : colours.line} />
            <text x={box.left - 8} y={at + 4} text-anchor="end">
              {texts[i]}
            </text>
          </g>
        )
      })}
    </g>
  )
}

interface LabelAxisProps {
  ticks: Tick[]
  box: Box
  colours: Palette
}

/** inside moves a text that would be cut off at the edge of a chart. */
function inside({ at, text }: Tick, width: number): number {
  const half = widthOf(text) / 2
  return Math.max(half, Math.min(width - half, at))
}

/** Labels below a chart. */
export function LabelAxis({ ticks, box, colours }: LabelAxisProps) {
  return (
    <g font-size={small} fill={colours.soft} text-anchor="middle">
      {ticks.map((tick, i) => (
        <text key={i} x={inside(tick, box.width)} y={box.height - box.bottom + 20}>
          {tick.text}
        </text>
      ))}
    </g>
  )
}

export function Legend({ items, colours, dashed }: { items: LegendItem[]; colours: Palette; dashed: boolean[] }) {
  return (
    <g font-size={small} fill={colours.ink}>
      {items.map((item, i) => (
        <g key={i} transform={`translate(${item.x}, ${item.y})`}>
          <rect x={0} y={4} width={12} height={dashed[i] ? 3 : 10} rx={2} fill={seriesColour(colours, i, dashed[i] ?? false)} transform={dashed[i] ? "translate(0, 3)" : undefined} />
          <text x={18} y={13}>
            {item.name}
          </text>
        </g>
      ))}
    </g>
  )
}

/** seriesColour returns the colour of a series; what is compared with stands back. */
export function seriesColour(colours: Palette, i: number, prior: boolean): string {
  return prior ? colours.series[6] ?? colours.soft : colours.series[i % colours.series.length] ?? colours.ink
}
