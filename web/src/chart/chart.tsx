import type { RefObject } from "preact"
import { useLayoutEffect, useState } from "preact/hooks"
import { t } from "../words"
import { fontFamily, seriesColour } from "./axes"
import { Bars } from "./bars"
import { figureText, type ChartData } from "./data"
import { Figures } from "./figures"
import { Heat } from "./heat"
import { Lines } from "./lines"
import { palette } from "./palette"

interface Props {
  data: ChartData
  place: RefObject<HTMLDivElement | null>
}

/** A chart as wide as its place, with what is pointed at in words. Arrow keys point too. */
export function Chart({ data, place }: Props) {
  const [width, setWidth] = useState(0)
  const [active, setActive] = useState<number>()
  useLayoutEffect(() => {
    const box = place.current
    if (!box) return
    setWidth(Math.floor(box.clientWidth))
    const watch = new ResizeObserver(() => setWidth(Math.floor(box.clientWidth)))
    watch.observe(box)
    return () => watch.disconnect()
  }, [])
  useLayoutEffect(() => setActive(undefined), [data])

  const key = (e: KeyboardEvent) => {
    const by = e.key === "ArrowRight" || e.key === "ArrowDown" ? 1 : e.key === "ArrowLeft" || e.key === "ArrowUp" ? -1 : 0
    if (by === 0 || data.kind === "value") return
    e.preventDefault()
    const n = data.labels.length
    setActive((i) => (i === undefined ? (by > 0 ? 0 : n - 1) : (i + by + n) % n))
  }
  const colours = palette()
  const props = { data, width, colours, active, onPoint: setActive }
  return (
    <div class="chart" ref={place} tabIndex={0} role="group" aria-roledescription={t("chart.label")} aria-label={describe(data)} onKeyDown={key} onBlur={() => setActive(undefined)} style={{ fontFamily }}>
      {width > 0 && (
        <div aria-hidden="true">
          {data.kind === "value" ? <Figures data={data} width={width} colours={colours} /> : data.kind === "line" ? <Lines {...props} /> : data.kind === "heat" ? <Heat {...props} /> : <Bars {...props} />}
        </div>
      )}
      <Readout data={data} active={active} />
    </div>
  )
}

/** describe says in one line what a chart shows, for those who do not see it. */
export function describe(data: ChartData): string {
  const keys = [data.along, data.across].flatMap((c) => (c ? [c.caption] : []))
  const name = t(`chart.${data.kind}`)
  if (keys.length === 0) return `${name}: ${data.series.map((s) => s.name).join(", ")}`
  return t("chart.describe", name, data.column.caption, keys.join(", ")) + ". " + t("chart.keys")
}

const mostRead = 9

/** What is pointed at, in words. Its place is kept, so that nothing moves when it fills. */
function Readout({ data, active }: { data: ChartData; active: number | undefined }) {
  if (data.kind === "value") return null
  const colours = palette()
  const label = active === undefined ? undefined : data.labels[active]
  return (
    <div class="readout" aria-live="polite">
      {active !== undefined && label !== undefined && (
        <>
          <strong>{label}</strong>
          {data.series.slice(0, mostRead).map((s, i) => {
            return (
              <span key={i} class="nowrap">
                <i style={{ background: data.kind === "heat" ? "transparent" : seriesColour(colours, i, s.prior ?? false) }} />
                {data.series.length > 1 && <span class="muted">{s.name} </span>}
                {figureText(s.cells[active], s.column)}
              </span>
            )
          })}
        </>
      )}
    </div>
  )
}
