import type { RefObject } from "preact"
import { useLayoutEffect, useState } from "preact/hooks"
import { listed, t } from "../words"
import { fontFamily } from "./axes"
import { Bars } from "./bars"
import type { ChartData } from "./data"
import { Figures } from "./figures"
import { Heat } from "./heat"
import { Lines } from "./lines"
import { palette } from "./palette"
import { Readout, type Point } from "./readout"

interface Props {
  data: ChartData
  place: RefObject<HTMLDivElement | null>
}

/** A chart as wide as its place, with what is pointed at in words. Arrow keys point too. */
export function Chart({ data, place }: Props) {
  const [width, setWidth] = useState(0)
  const [{ active, series }, setPoint] = useState<Point>({})
  useLayoutEffect(() => {
    const box = place.current
    if (!box) return
    setWidth(Math.floor(box.clientWidth))
    const watch = new ResizeObserver(() => setWidth(Math.floor(box.clientWidth)))
    watch.observe(box)
    return () => watch.disconnect()
  }, [])
  useLayoutEffect(() => setPoint({}), [data])

  const clear = () => setPoint({})
  const key = (e: KeyboardEvent) => {
    const by = e.key === "ArrowRight" || e.key === "ArrowDown" ? 1 : e.key === "ArrowLeft" || e.key === "ArrowUp" ? -1 : 0
    if (by === 0 || data.kind === "value") return
    e.preventDefault()
    setPoint((point) => moved(point, data, by, e.key === "ArrowUp" || e.key === "ArrowDown"))
  }
  const colours = palette()
  const props = { data, width, colours, active, series, onPoint: (label: number | undefined, of?: number) => setPoint({ active: label, series: of }) }
  return (
    <div class="chart" ref={place} tabIndex={0} role="group" aria-roledescription={t("chart.label")} aria-label={describe(data)} onKeyDown={key} onBlur={clear} style={{ fontFamily }}>
      {width > 0 && (
        <div aria-hidden="true">
          {data.kind === "value" ? <Figures data={data} width={width} colours={colours} /> : data.kind === "line" ? <Lines {...props} /> : data.kind === "heat" ? <Heat {...props} /> : <Bars {...props} />}
        </div>
      )}
      <Readout data={data} active={active} series={series} />
    </div>
  )
}

/** moved goes on by one, around the ends. A table of colours has two ways to go. */
export function moved(point: Point, data: Pick<ChartData, "kind" | "labels" | "series">, by: number, upright: boolean): Point {
  const next = (i: number | undefined, n: number) => (i === undefined ? (by > 0 ? 0 : n - 1) : (i + by + n) % n)
  if (data.kind !== "heat") return { active: next(point.active, data.labels.length) }
  if (point.active === undefined || point.series === undefined) return { active: !upright && by < 0 ? data.labels.length - 1 : 0, series: upright && by < 0 ? data.series.length - 1 : 0 }
  return upright ? { active: point.active, series: next(point.series, data.series.length) } : { active: next(point.active, data.labels.length), series: point.series }
}

/** describe says in one line what a chart shows, for those who do not see it. */
export function describe(data: ChartData): string {
  const keys = [data.along, data.across].flatMap((c) => (c ? [c.caption] : []))
  const name = t(`chart.${data.kind}`)
  if (keys.length === 0) return `${name}: ${listed(data.series.map((s) => s.name))}`
  return t("chart.describe", name, data.column.caption, listed(keys)) + ". " + t("chart.keys")
}
