import { max, min } from "d3-array"
import { scaleBand, scaleLinear } from "d3-scale"
import { axisText } from "./data"
import { evenTicks, fit, small, widthOf, type Box } from "./layout"
import type { DrawProps } from "./lines"
import { heat, onHeat } from "./palette"
import { LabelAxis } from "./axes"

const line = 28

/** A table of colours: the darker on light ground (the lighter on dark), the more. Cells without a value stay empty. */
export function Heat({ data, width, colours, active, series, onPoint }: DrawProps) {
  const left = Math.min(Math.max(...data.series.map((s) => widthOf(s.name))) + 16, width * 0.34)
  const box: Box = { width, height: data.series.length * line + 70, top: 34, right: 8, bottom: 36, left }
  const values = data.series.flatMap((s) => s.values.filter((v): v is number => v !== null))
  const share = scaleLinear().domain([min(values) ?? 0, max(values) ?? 1]).range([0, 1]).clamp(true)
  const x = scaleBand<number>().domain(data.labels.map((_, i) => i)).range([left, width - box.right]).padding(0.04)
  const y = scaleBand<number>().domain(data.series.map((_, i) => i)).range([box.top, box.height - box.bottom]).padding(0.06)
  const figures = Math.max(...values.map((v) => widthOf(axisText(v, data.column)))) + 8 < x.bandwidth()
  return (
    <svg viewBox={`0 0 ${width} ${box.height}`} width={width} height={box.height} onPointerLeave={() => onPoint(undefined)}>
      <Scale data={data} width={width} colours={colours} low={min(values) ?? 0} high={max(values) ?? 1} left={left} />
      <LabelAxis ticks={evenTicks(data.labels, (i) => (x(i) ?? 0) + x.bandwidth() / 2, x.step())} box={box} colours={colours} />
      {data.series.map((s, row) => (
        <g key={row} font-size={small}>
          <text x={left - 10} y={(y(row) ?? 0) + y.bandwidth() / 2 + 4} text-anchor="end" fill={colours.ink}>
            {fit(s.name, left - 16)}
          </text>
          {s.values.map((v, i) => {
            const part = share(v ?? 0)
            return (
              <g key={i} onPointerMove={() => onPoint(i, row)}>
                <rect x={x(i)} y={y(row)} width={x.bandwidth()} height={y.bandwidth()} rx={2} fill={v === null ? "transparent" : heat(colours, part)} stroke={i === active && row === series ? colours.ink : v === null ? colours.line : "none"} stroke-width={i === active && row === series ? 2 : 1} />
                {figures && v !== null && (
                  <text x={(x(i) ?? 0) + x.bandwidth() / 2} y={(y(row) ?? 0) + y.bandwidth() / 2 + 4} text-anchor="middle" fill={onHeat(colours, part)}>
                    {axisText(v, data.column)}
                  </text>
                )}
              </g>
            )
          })}
        </g>
      ))}
    </svg>
  )
}

const steps = 24

function Scale({ data, colours, low, high, left }: Pick<DrawProps, "data" | "width" | "colours"> & { low: number; high: number; left: number }) {
  const from = axisText(low, data.column)
  const start = left + widthOf(from) + 8
  return (
    <g font-size={small} fill={colours.soft}>
      <text x={left} y={16}>
        {from}
      </text>
      {Array.from({ length: steps }, (_, i) => (
        <rect key={i} x={start + i * 6} y={7} width={6.2} height={10} fill={heat(colours, i / (steps - 1))} />
      ))}
      <text x={start + steps * 6 + 8} y={16}>
        {axisText(high, data.column)}
      </text>
    </g>
  )
}
