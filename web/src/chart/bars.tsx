import { max, min } from "d3-array"
import { scaleBand, scaleLinear } from "d3-scale"
import { stack, stackOffsetDiverging } from "d3-shape"
import { LabelAxis, Legend, seriesColour, ValueAxis } from "./axes"
import { axisText, axisTexts, axisValues, figureText } from "./data"
import { evenTicks, fit, legend, small, widthOf, type Box } from "./layout"
import type { DrawProps } from "./lines"

interface Piece {
  label: number
  series: number
  from: number
  to: number
}

/** Bars beside each other or stacked; lying where their names are long or many. */
export function Bars(props: DrawProps) {
  const { data, width } = props
  const stacked = data.kind === "stacked" && data.series.length > 1
  const longest = Math.max(...data.labels.map(widthOf))
  const room = (width - 80) / data.labels.length
  const lying = !data.temporal && data.labels.length > 1 && (data.labels.length > 14 || longest > room - 8)
  return lying ? <Lying {...props} stacked={stacked} /> : <Standing {...props} stacked={stacked} />
}

/** pieces are the rectangles of all series in values. */
function pieces({ data }: DrawProps, stacked: boolean): Piece[] {
  if (!stacked) return data.series.flatMap((s, series) => s.values.flatMap((v, label) => (v === null ? [] : [{ label, series, from: 0, to: v }])))
  const table = data.labels.map((_, label) => Object.fromEntries(data.series.map((s, i) => [i, s.values[label] ?? 0])))
  const made = stack<Record<string, number>>().keys(data.series.map((_, i) => String(i))).offset(stackOffsetDiverging)(table)
  return made.flatMap((layer, series) => layer.map(([from, to], label) => ({ label, series, from, to })).filter((p) => p.from !== p.to))
}

function extent(all: Piece[]): [number, number] {
  const ends = all.flatMap((p) => [p.from, p.to])
  return [Math.min(0, min(ends) ?? 0), Math.max(0, max(ends) ?? 1) || 1]
}

/** paint is the colour of a piece; what stands for all the rest is grey, or paler where colours tell series apart. */
function paint({ data, colours }: DrawProps, p: Piece): { fill: string; "fill-opacity"?: number } {
  const fill = seriesColour(colours, p.series, data.series[p.series]?.prior ?? false)
  if (p.label !== data.rest) return { fill }
  return data.series.length > 1 ? { fill, "fill-opacity": 0.45 } : { fill: colours.rest }
}

type ShapeProps = DrawProps & { stacked: boolean }

function Standing(props: ShapeProps) {
  const { data, width, colours, active, onPoint, stacked } = props
  const names = legend(data.series.map((s) => s.name), width)
  const all = pieces(props, stacked)
  const domain = scaleLinear().domain(extent(all)).nice(5)
  const left = Math.max(...axisTexts(axisValues(domain, 5, data.column), data.column).map(widthOf)) + 18
  const box: Box = { width, height: 320 + names.height, top: names.height + 14, right: 12, bottom: 34, left }
  const y = domain.range([box.height - box.bottom, box.top])
  const x = scaleBand<number>().domain(data.labels.map((_, i) => i)).range([box.left, width - box.right]).paddingInner(0.28).paddingOuter(0.16)
  const inner = scaleBand<number>().domain(stacked ? [0] : data.series.map((_, i) => i)).range([0, Math.min(x.bandwidth(), 96)]).paddingInner(0.08)
  const shift = (x.bandwidth() - Math.min(x.bandwidth(), 96)) / 2
  const centre = (i: number) => (x(i) ?? 0) + x.bandwidth() / 2
  const single = data.series.length === 1 && data.labels.length <= 12
  return (
    <svg viewBox={`0 0 ${width} ${box.height}`} width={width} height={box.height} onPointerLeave={() => onPoint(undefined)}>
      <Legend items={names.items} colours={colours} dashed={data.series.map((s) => s.prior ?? false)} />
      <ValueAxis scale={y} box={box} column={data.column} colours={colours} />
      <LabelAxis ticks={evenTicks(data.labels, centre, x.step())} box={box} colours={colours} />
      {all.map((p) => {
        const top = Math.min(y(p.from), y(p.to))
        const high = Math.max(1, Math.abs(y(p.from) - y(p.to)))
        const at = (x(p.label) ?? 0) + shift + (stacked ? 0 : inner(p.series) ?? 0)
        const dim = active !== undefined && active !== p.label
        return <rect key={`${p.label}-${p.series}`} x={at} y={top} width={inner.bandwidth()} height={high} rx={stacked ? 0 : 2} {...paint(props, p)} opacity={dim ? 0.45 : 1} stroke={stacked ? colours.ground : undefined} stroke-width={stacked ? 1 : undefined} />
      })}
      {single &&
        all.map((p) => (
          <text key={p.label} x={centre(p.label)} y={(p.to < 0 ? y(p.to) + 15 : y(p.to) - 6)} text-anchor="middle" font-size={small} fill={colours.ink}>
            {axisText(p.to, data.column)}
          </text>
        ))}
      {data.labels.map((_, i) => (
        <rect key={i} x={(x(i) ?? 0) - x.step() * 0.14} y={box.top} width={x.step()} height={box.height - box.top - box.bottom} fill="transparent" onPointerMove={() => onPoint(i)} />
      ))}
    </svg>
  )
}

function Lying(props: ShapeProps) {
  const { data, width, colours, active, onPoint, stacked } = props
  const names = legend(data.series.map((s) => s.name), width)
  const all = pieces(props, stacked)
  const left = Math.min(Math.max(...data.labels.map(widthOf)) + 16, Math.max(110, width * 0.34))
  const single = data.series.length === 1
  const figures = single ? data.series[0]?.cells.map((c) => (c === null || c === undefined ? "" : figureText(c, data.column))) ?? [] : []
  const right = single ? Math.max(...figures.map(widthOf)) + 18 : 18
  const thick = stacked || single ? 24 : Math.max(24, data.series.length * 11 + 8)
  const box: Box = { width, height: names.height + 6 + data.labels.length * thick + 30, top: names.height + 6, right, bottom: 30, left }
  const x = scaleLinear().domain(extent(all)).nice(5).range([box.left, width - box.right])
  const y = scaleBand<number>().domain(data.labels.map((_, i) => i)).range([box.top, box.height - box.bottom]).paddingInner(0.24).paddingOuter(0.1)
  const inner = scaleBand<number>().domain(stacked ? [0] : data.series.map((_, i) => i)).range([0, y.bandwidth()]).paddingInner(0.06)
  return (
    <svg viewBox={`0 0 ${width} ${box.height}`} width={width} height={box.height} onPointerLeave={() => onPoint(undefined)}>
      <Legend items={names.items} colours={colours} dashed={data.series.map((s) => s.prior ?? false)} />
      <ValueAxis scale={x} box={box} column={data.column} colours={colours} lying />
      {all.map((p) => {
        const dim = active !== undefined && active !== p.label
        const end = Math.max(x(p.from), x(p.to))
        const begin = Math.min(x(p.from), x(p.to))
        return <rect key={`${p.label}-${p.series}`} x={begin} y={(y(p.label) ?? 0) + (stacked ? 0 : inner(p.series) ?? 0)} width={Math.max(1, end - begin)} height={inner.bandwidth()} rx={stacked ? 0 : 2} {...paint(props, p)} opacity={dim ? 0.45 : 1} />
      })}
      <g font-size={small} fill={colours.ink}>
        {data.labels.map((text, i) => (
          <text key={i} x={box.left - 10} y={(y(i) ?? 0) + y.bandwidth() / 2 + 4} text-anchor="end">
            {fit(text, left - 16)}
          </text>
        ))}
        {figures.map((text, i) => (
          <text key={i} x={x(Math.max(0, data.series[0]?.values[i] ?? 0)) + 7} y={(y(i) ?? 0) + y.bandwidth() / 2 + 4} fill={colours.soft}>
            {text}
          </text>
        ))}
      </g>
      {data.labels.map((_, i) => (
        <rect key={i} x={0} y={(y(i) ?? 0) - y.step() * 0.12} width={width} height={y.step()} fill="transparent" onPointerMove={() => onPoint(i)} />
      ))}
    </svg>
  )
}
