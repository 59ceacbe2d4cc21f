import { max, min } from "d3-array"
import { scaleLinear, scalePoint } from "d3-scale"
import { line } from "d3-shape"
import { LabelAxis, Legend, seriesColour, ValueAxis } from "./axes"
import { axisTexts, type ChartData } from "./data"
import { every, legend, widthOf, type Box } from "./layout"
import type { Palette } from "./palette"

export interface DrawProps {
  data: ChartData
  width: number
  colours: Palette
  active: number | undefined // the label that is pointed at
  series: number | undefined // the series, where one of them is pointed at
  onPoint: (label: number | undefined, series?: number) => void
}

const height = 320

/** Lines over time or any order. A missing value is a gap, never a zero. */
export function Lines({ data, width, colours, active, onPoint }: DrawProps) {
  const names = legend(data.series.map((s) => s.name), width)
  const values = data.series.flatMap((s) => s.values.filter((v): v is number => v !== null))
  const low = Math.min(0, min(values) ?? 0)
  const far = low === 0 && nearlyLevel(values) ? levelFloor(values) : low
  const domain = scaleLinear().domain([far, max(values) ?? 1]).nice(5)
  const left = Math.max(...axisTexts(domain.ticks(5), data.column).map(widthOf)) + 18
  const box: Box = { width, height: height + names.height, top: names.height + 10, right: Math.max(18, widthOf(data.labels[data.labels.length - 1] ?? "") / 2), bottom: 34, left }
  const y = domain.range([box.height - box.bottom, box.top])
  const x = scalePoint<number>().domain(data.labels.map((_, i) => i)).range([box.left + 6, width - box.right]).padding(data.labels.length === 1 ? 0.5 : 0.1)
  const at = (i: number) => x(i) ?? 0
  const step = every(data.labels, width - left - box.right)
  const thin = data.labels.length > (width - box.left - box.right) / 3
  const dots = data.labels.length <= 40
  const point = (e: PointerEvent) => {
    const rect = (e.currentTarget as SVGElement).getBoundingClientRect()
    const px = ((e.clientX - rect.left) / rect.width) * width
    onPoint(nearest(data.labels.length, at, px))
  }
  return (
    <svg viewBox={`0 0 ${width} ${box.height}`} width={width} height={box.height} onPointerMove={point} onPointerLeave={() => onPoint(undefined)}>
      <Legend items={names.items} colours={colours} dashed={data.series.map((s) => s.prior ?? false)} />
      <ValueAxis scale={y} box={box} column={data.column} colours={colours} />
      <LabelAxis labels={data.labels} at={at} step={step} room={x.step()} box={box} colours={colours} />
      {active !== undefined && <line x1={at(active)} x2={at(active)} y1={box.top} y2={box.height - box.bottom} stroke={colours.soft} stroke-dasharray="3 3" />}
      {data.series.map((s, i) => {
        const colour = seriesColour(colours, i, s.prior ?? false)
        const path = line<number | null>().defined((v) => v !== null).x((_, n) => at(n)).y((v) => y(v ?? 0))(s.values)
        return (
          <g key={i}>
            <path d={path ?? ""} fill="none" stroke={colour} stroke-width={thin ? 1.25 : 2.25} stroke-linejoin="round" stroke-linecap="round" stroke-dasharray={s.prior ? "5 5" : undefined} />
            {s.values.map((v, n) =>
              v !== null && (n === active || (dots && !s.prior) || alone(s.values, n)) ? (
                <circle key={n} cx={at(n)} cy={y(v)} r={n === active ? 5 : 2.8} fill={n === active ? colour : colours.ground} stroke={colour} stroke-width={1.8} />
              ) : null,
            )}
          </g>
        )
      })}
    </svg>
  )
}

function alone(values: (number | null)[], n: number): boolean {
  return (values[n - 1] ?? null) === null && (values[n + 1] ?? null) === null
}

/** nearlyLevel says whether values differ so little that an axis from zero would show a flat line. */
function nearlyLevel(values: number[]): boolean {
  const least = min(values) ?? 0
  const most = max(values) ?? 0
  return values.length > 2 && least > 0 && (most - least) / most < 0.12
}

function levelFloor(values: number[]): number {
  const least = min(values) ?? 0
  return least - ((max(values) ?? 0) - least)
}

function nearest(n: number, at: (i: number) => number, x: number): number {
  let best = 0
  for (let i = 1; i < n; i++) if (Math.abs(at(i) - x) < Math.abs(at(best) - x)) best = i
  return best
}
