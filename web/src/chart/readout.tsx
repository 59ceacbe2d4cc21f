import { max, min } from "d3-array"
import { useMemo } from "preact/hooks"
import { isolate } from "../bidi"
import { textWidth } from "../textwidth"
import { t } from "../words"
import { seriesColour } from "./axes"
import { figureText, type ChartData } from "./data"
import { palette } from "./palette"

/** What is pointed at: a label, and in a table of colours one cell. */
export interface Point {
  active?: number | undefined
  series?: number | undefined
}

const mostRead = 9

/** What is pointed at, in words. Its place is kept, so that nothing moves when it fills: as high as the longest words make it. */
export function Readout({ data, active, series }: { data: ChartData } & Point) {
  const longest = useMemo(() => longestPoint(data), [data])
  if (data.kind === "value") return null
  return (
    <div class="readout-place">
      <div class="readout" aria-live="polite">
        {active !== undefined && <Words data={data} label={data.labels[active] ?? ""} figures={figuresAt(data, active, series)} />}
      </div>
      {active === undefined && (
        <p class="readout-hint muted" aria-hidden="true">
          {t("chart.point")}
        </p>
      )}
      <div class="readout-kept" aria-hidden="true">
        <Words data={data} label={longest.label} figures={longest.figures} />
      </div>
    </div>
  )
}

interface Figure {
  at: number // of the series
  text: string
}

/** figuresAt are the values of a label; in a table of colours the one that is pointed at. */
function figuresAt(data: ChartData, label: number, series: number | undefined): Figure[] {
  return data.series
    .map((s, at) => ({ at, text: figureText(s.cells[label], s.column) }))
    .filter(({ at }) => (data.kind === "heat" ? at === series : at < mostRead))
}

const looked = 60 // labels whose values are written to find the longest

/** longestPoint is about the longest that can be said of a label. */
function longestPoint(data: ChartData): { label: string; figures: Figure[] } {
  const labels = data.labels.map((_, i) => i)
  const longer = (a: string, b: string) => (textWidth(b) > textWidth(a) ? b : a)
  const step = Math.ceil(labels.length / looked)
  const figures = data.series.slice(0, data.kind === "heat" ? 1 : mostRead).map((s, at) => {
    const peak = [max(labels, (i) => s.values[i]), min(labels, (i) => s.values[i])].map((v) => s.values.findIndex((w) => w === v))
    const some = [...labels.filter((i) => i % step === 0), ...peak]
    return { at, text: some.map((i) => figureText(s.cells[i], s.column)).reduce(longer, "") }
  })
  return { label: data.labels.reduce(longer, ""), figures }
}

function Words({ data, label, figures }: { data: ChartData; label: string; figures: Figure[] }) {
  const colours = palette()
  return (
    <>
      <strong>{label}</strong>
      {figures.map(({ at, text }) => (
        <span key={at} class="nowrap">
          <i style={{ background: data.kind === "heat" ? "transparent" : seriesColour(colours, at, data.series[at]?.prior ?? false) }} />
          {data.series.length > 1 && <span class="muted">{isolate(data.series[at]?.name ?? "")} </span>}
          {text}
        </span>
      ))}
    </>
  )
}
