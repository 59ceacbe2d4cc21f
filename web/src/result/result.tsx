import type { RefObject } from "preact"
import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { isolate } from "../bidi"
import { Chart } from "../chart/chart"
import { fitting, foreseen, kinds, measuresOf, shape, wantsAll } from "../chart/data"
import { count } from "../format"
import { Icon } from "../parts/icon"
import { mostSubtotalled, rowsOf, type Answer, type Rows } from "../query/answer"
import { orders, type Payload } from "../query/payload"
import type { Model } from "../server/models"
import { resultColumns } from "../table/columns"
import { Grid, rowHeight } from "../table/grid"
import { Download, TakeAway } from "../takeaway/takeaway"
import { locale, t } from "../words"
import { useChartRows } from "./chartrows"

export const choices = ["auto", ...kinds, "none"] as const
export type Choice = (typeof choices)[number]

interface Props {
  model: Model | undefined
  name: string // of the model
  payload: Payload
  answer: Answer
  choice: Choice
  onChoice: (choice: Choice) => void
  onSort?: (key: string, order: "asc" | "desc" | undefined) => void
  took?: number | undefined
  tableHeight?: number
}

/** An answer to look at: the chart that fits, and the table. */
export function Result({ model, name, payload, answer, choice, onChoice, onSort, took, tableHeight = 460 }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => rowsOf(name, payload, answer), [answer])
  useEffect(() => () => rows.end(), [rows])
  const columns = useMemo(() => resultColumns(rows.columns, answer.schema, payload, model), [rows, model])
  return (
    <>
      <ChartCard columns={columns} rows={rows} single={answer.applied.mode === "detail"} model={model} choice={choice} onChoice={onChoice} place={place} />
      <section class="card table-card" aria-label={t("table.label", "")}>
        <header>
          <h2 class="grow" data-total={answer.total}>
            {t("explore.rows", count(rows.groups))}
            {took !== undefined && <span class="muted took"> · {t("unit.ms", count(Math.round(took)))}</span>}
          </h2>
          <TakeAway model={name} caption={model?.caption ?? name} payload={payload} answer={answer} rows={rows} chart={() => place.current} />
        </header>
        {rows.failed.value && (
          <div class="table-note" role="alert">
            <Icon name="alert" />
            <span class="grow">{t("table.failed")}</span>
            <button class="button small" type="button" onClick={() => rows.retry()}>
              {t("fail.retry")}
            </button>
          </div>
        )}
        {rows.notes.value.map((note) => (
          <div key={note} class="table-note" role="status" data-note={note}>
            <Icon name="alert" />
            <span class="grow">{t(`table.${note}`, count(mostSubtotalled))}</span>
            {note === "subtotals" && <Download model={name} payload={payload} answer={answer} rows={rows.groups} />}
          </div>
        ))}
        <Grid rows={rows} columns={columns} model={model} totals={answer.totalData} totalsOf={totalsOf(payload, answer, rows)} order={orders(payload)} {...(onSort && { onSort })} height={Math.min(tableHeight, (rows.length + 4) * rowHeight)} />
      </section>
    </>
  )
}

/** totalsOf says what the totals are of: they count everything that the filters leave, also where fewer rows are shown. */
function totalsOf(payload: Payload, answer: Answer, rows: Rows): "table.total" | "table.totalOfAll" | "table.totalOfGroups" {
  const fewer = (payload.topN !== undefined && !payload.topN.others) || rows.groups < answer.total
  return !fewer ? "table.total" : answer.applied.mode === "detail" ? "table.totalOfAll" : "table.totalOfGroups"
}

interface ChartProps {
  columns: ReturnType<typeof resultColumns>
  rows: Rows
  single: boolean // rows are single ones, and no groups
  model: Model | undefined
  choice: Choice
  onChoice: (choice: Choice) => void
  place: RefObject<HTMLDivElement | null>
}

/** The chart that fits, or the one that was chosen, with its kinds and what it leaves out. */
function ChartCard({ columns, rows, single, model, choice, onChoice, place }: ChartProps) {
  const [measure, setMeasure] = useState<string>()
  const hidden = useRef<HTMLDivElement>(null)
  const never = useMemo(() => single && unsure(columns, rows), [rows])
  const { made, waiting, late } = useChartRows(rows, !never && choice !== "none" && wantsAll(columns, choice === "line"))
  const fits = useMemo(() => (never ? [] : fitting(columns, made, measure)), [never, columns, made, measure])
  const kind = choice === "auto" ? fits[0] : choice === "none" ? undefined : choice
  const data = useMemo(() => (kind && fits.length > 0 ? shape(kind, columns, made, model, measure) : undefined), [kind, columns, made, fits, model, measure, locale.value])
  if (fits.length === 0) return null
  const measures = measuresOf(columns)
  const lacking = data && !waiting && (made.partial || data.cut || data.left > 0)
  return (
    <section class="card chart-card" aria-label={t("chart.label")} data-chart={data?.kind ?? "none"}>
      <header>
        <div class="grow row">
          {measures.length > 1 && kind !== "value" ? (
            <select class="measure-choice" aria-label={t("chart.measure")} value={measure ?? measures[0]?.key} onChange={(e) => setMeasure(e.currentTarget.value)}>
              {measures.map((m) => (
                <option key={m.key} value={m.key}>
                  {m.caption}
                </option>
              ))}
            </select>
          ) : (
            <h2>
              {measures.length > 1 ? t("chart.figures") : isolate(measures[0]?.caption ?? t("chart.label"))} {measures.length === 1 && measures[0]?.unit && <span class="muted">{measures[0].unit}</span>}
            </h2>
          )}
        </div>
        <div class="segments chart-kinds" role="group" aria-label={t("chart.kind")}>
          {(["auto", ...kinds.filter((k) => fits.includes(k)), "none"] as Choice[]).map((k) => (
            <button key={k} type="button" aria-pressed={choice === k} aria-label={t(`chart.${k}`)} title={t(`chart.${k}`)} onClick={() => onChoice(k)}>
              <Icon name={k} />
              {k === choice && <span>{t(`chart.${k}`)}</span>}
            </button>
          ))}
        </div>
      </header>
      {data && (
        <div class="chart-body" aria-busy={waiting}>
          {waiting && <div class="waiting chart-wait" />}
          <Chart key={`${data.kind} ${waiting}`} data={waiting ? foreseen(data, made) : data} place={waiting ? hidden : place} />
        </div>
      )}
      {!data && choice !== "none" && <p class="chart-note pad">{t("chart.cannot")}</p>}
      {(lacking || (data && late)) && (
        <p class="chart-note">
          {lacking && made.partial && t(rows.failed.value ? "chart.failed" : "chart.rows", count(made.data.length), count(made.groups))} {lacking && data.cut && t("chart.cut", count(data.cut.shown), count(data.cut.of))} {lacking && data.left > 0 && t("chart.series", count(data.left))}
        </p>
      )}
    </section>
  )
}

/** unsure says whether single rows may share their keys further on, so that no chart of two keys can be promised before all are here. */
function unsure(columns: ReturnType<typeof resultColumns>, rows: Rows): boolean {
  return wantsAll(columns, false) && columns.filter((c) => !c.shape.measure).length > 1 && rows.data().length < rows.groups
}
