import { max, min, ticks } from "d3-array"
import { scaleLinear, scalePoint, type ScaleLinear } from "d3-scale"
import { line } from "d3-shape"
import { formatCell } from "../format"
import type { Along } from "./along"
import { LabelAxis, Legend, seriesColour, ValueAxis } from "./axes"
import { axisTexts, axisValues, type ChartData } from "./data"
import { evenTicks, legend, spacedTicks, widthOf, type Box, type Tick } from "./layout"
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

/** Lines over time, numbers or any order. A missing value is a gap, never a zero; so is a missing period. */
export function Lines({ data, width, colours, active, onPoint }: DrawProps) {
  const names = legend(data.series.map((s) => s.name), width)
  const values = data.series.flatMap((s) => s.values.filter((v): v is number => v !== null))
  const low = Math.min(0, min(values) ?? 0)
  const far = low === 0 && nearlyLevel(values) ? levelFloor(values) : low
  const domain = scaleLinear().domain([far, max(values) ?? 1]).nice(5)
  const left = Math.max(...axisTexts(axisValues(domain, 5, data.column), data.column).map(widthOf)) + 18
  const box: Box = { width, height: height + names.height, top: names.height + 10, right: Math.max(18, widthOf(data.labels[data.labels.length - 1] ?? "") / 2), bottom: 34, left }
  const y = domain.range([box.height - box.bottom, box.top])
  const { at, ticks } = across(data, box)
  const thin = data.labels.length > (width - box.left - box.right) / 3
  const dots = data.labels.length <= 40
  const led = data.labels.flatMap((_, n) => (data.distances?.broken[n] ? [nowhere, n] : [n]))
  const point = (e: PointerEvent) => {
    const rect = (e.currentTarget as SVGElement).getBoundingClientRect()
    const px = ((e.clientX - rect.left) / rect.width) * width
    onPoint(nearest(data.labels.length, at, px))
  }
  return (
    <svg viewBox={`0 0 ${width} ${box.height}`} width={width} height={box.height} onPointerMove={point} onPointerLeave={() => onPoint(undefined)}>
      <Legend items={names.items} colours={colours} dashed={data.series.map((s) => s.prior ?? false)} />
      <ValueAxis scale={y} box={box} column={data.column} colours={colours} />
      <LabelAxis ticks={ticks} box={box} colours={colours} />
      {active !== undefined && <line x1={at(active)} x2={at(active)} y1={box.top} y2={box.height - box.bottom} stroke={colours.soft} stroke-dasharray="3 3" />}
      {data.series.map((s, i) => {
        const colour = seriesColour(colours, i, s.prior ?? false)
        const path = line<number>().defined((n) => (s.values[n] ?? null) !== null).x(at).y((n) => y(s.values[n] ?? 0))(led)
        return (
          <g key={i}>
            <path d={path ?? ""} fill="none" stroke={colour} stroke-width={thin ? 1.25 : 2.25} stroke-linejoin="round" stroke-linecap="round" stroke-dasharray={s.prior ? "5 5" : undefined} />
            {s.values.map((v, n) =>
              v !== null && (n === active || (dots && !s.prior) || alone(s.values, data.distances?.broken, n)) ? (
                <circle key={n} cx={at(n)} cy={y(v)} r={n === active ? 5 : 2.8} fill={n === active ? colour : colours.ground} stroke={colour} stroke-width={1.8} />
              ) : null,
            )}
          </g>
        )
      })}
    </svg>
  )
}

const nowhere = -1 // a label that no series has: the line ends there and begins anew

/** alone says whether no line leads to a value. */
function alone(values: (number | null)[], broken: boolean[] | undefined, n: number): boolean {
  const before = broken?.[n] ? null : values[n - 1]
  const after = broken?.[n + 1] ? null : values[n + 1]
  return (before ?? null) === null && (after ?? null) === null
}

/** across says where labels stand from left to right, and what stands below them. */
function across(data: ChartData, box: Box): { at: (i: number) => number; ticks: Tick[] } {
  const range = [box.left + 6, box.width - box.right] as const
  const { labels, distances } = data
  if (!distances) {
    const x = scalePoint<number>().domain(labels.map((_, i) => i)).range(range).padding(labels.length === 1 ? 0.5 : 0.1)
    const at = (i: number) => x(i) ?? 0
    return { at, ticks: evenTicks(labels, at, x.step()) }
  }
  const { places } = distances
  const inset = Math.min(40, ((range[1] - range[0]) / labels.length) * 0.1)
  const x = scaleLinear().domain([places[0] ?? 0, places[places.length - 1] ?? 1]).range([range[0] + inset, range[1] - inset])
  const at = (i: number) => x(places[i] ?? 0)
  return { at, ticks: ticksOf(data, distances, x) }
}

/** ticksOf are the labels themselves; round numbers where there are more numbers than texts have room. */
function ticksOf({ labels, along }: ChartData, { places, known, whole }: Along, x: ScaleLinear<number, number>): Tick[] {
  const own = labels.map((text, i) => ({ at: x(places[i] ?? 0), text }))
  const [valued, others] = [own.slice(0, known), own.slice(known)]
  if (whole === undefined || !along || spacedTicks(own).length === own.length) return spacedTicks(valued, others)
  const [first = 0, last = 0] = [places[0], places[known - 1]]
  const most = Math.max(2, Math.floor((x(last) - x(first)) / (Math.max(...labels.map(widthOf)) + 40)))
  const round = ticks(first, last, most).filter((v) => !whole || Number.isInteger(v))
  return spacedTicks(round.map((v) => ({ at: x(v), text: formatCell(v, along.shape) })), others)
}

/** nearlyLevel says whether values differ, but so little that an axis from zero would show a flat line. */
function nearlyLevel(values: number[]): boolean {
  const least = min(values) ?? 0
  const most = max(values) ?? 0
  return values.length > 2 && least > 0 && most > least && (most - least) / most < 0.12
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
