import type { VNode } from "preact"
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import { isolate } from "../bidi"
import { Icon } from "../parts/icon"
import type { Row, Rows, RowType } from "../query/answer"
import type { Order } from "../query/payload"
import { count, formatCell, formatNumber, isNumeric } from "../format"
import { labelOf, fieldOf, type Model } from "../server/models"
import { textWidth } from "../textwidth"
import { t } from "../words"
import type { ResultColumn } from "./columns"

export const rowHeight = 32
const spare = 12 // rows drawn beyond what is seen
const pool = 128 // elements that rows share while scrolling; more than are ever drawn at once
const mostSeen = 40 // letters that every column can show
const mostRows = 500_000 // what fits into the height that browsers can scroll

interface Props {
  rows: Rows
  columns: ResultColumn[]
  model: Model | undefined
  totals?: Record<string, unknown> | undefined
  totalsOf?: "table.total" | "table.totalOfAll" | "table.totalOfGroups"
  order: Order[]
  onSort?: (key: string, order: "asc" | "desc" | undefined) => void
  height?: number
}

/** A table of any length: only the rows in sight are in the document. */
export function Grid({ rows, columns, model, totals, totalsOf = "table.total", order, onSort, height = 460 }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const [seen, setSeen] = useState(height)
  rows.version.value // draw again when rows arrive
  const shown = Math.min(rows.length, mostRows)
  const first = Math.max(0, Math.floor(top / rowHeight) - spare)
  const last = Math.min(shown, Math.ceil((top + seen) / rowHeight) + spare)
  const feet = totals ? columns.map((c, i) => footText(c, totals) || (i === 0 ? t(totalsOf) : "")) : []
  const widths = useMemo(() => columns.map((c, i) => widthOf(c, rows, i, model, feet[i] ?? "")), [rows, columns, model, feet.join()])

  useLayoutEffect(() => {
    if (box.current) box.current.scrollTop = 0
    setTop(0)
  }, [rows])
  useEffect(() => {
    if (!box.current) return
    const watch = new ResizeObserver(([entry]) => entry && setSeen(entry.contentRect.height))
    watch.observe(box.current)
    return () => watch.disconnect()
  }, [])
  useEffect(() => rows.need(first, last - 1), [rows, first, last])

  const kept = useMemo(() => new Map<number, VNode>(), [rows, columns, model, rows.version.value])
  const drawn = []
  for (let i = first; i < last; i++) {
    const known = kept.get(i)
    const row = known ?? <GridRow key={i % pool} index={i} row={rows.at(i)} type={rows.typeAt(i)} keys={rows.keysAt(i)} columns={columns} model={model} />
    if (!known) kept.set(i, row)
    drawn.push(row)
  }
  if (kept.size > 20 * pool) for (const i of kept.keys()) if (i < first || i >= last) kept.delete(i)
  return (
    <>
      <div
        ref={box}
        class="grid-box"
        tabIndex={0}
        role="region"
        aria-label={t("table.label", t("explore.rows", count(rows.length)))}
        style={{ maxHeight: `${height}px` }}
        onScroll={(e) => setTop(e.currentTarget.scrollTop)}
      >
        <table class="grid" aria-rowcount={shown + 1} style={{ width: `max(100%, ${widths.reduce((sum, w) => sum + w, 0)}px)` }}>
          <colgroup>
            {widths.map((w, i) => (
              <col key={i} style={{ width: `${w}px` }} />
            ))}
          </colgroup>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map((c) => (
                <Head key={c.key} column={c} order={order.find((o) => c.names.includes(o.field))} {...(onSort && { onSort })} />
              ))}
            </tr>
          </thead>
          <tbody>
            {first > 0 && <Gap height={first * rowHeight} columns={columns.length} />}
            {drawn}
            {last < shown && <Gap height={(shown - last) * rowHeight} columns={columns.length} />}
          </tbody>
          {totals && <Totals columns={columns} totals={totals} texts={feet} />}
        </table>
      </div>
      {rows.length > mostRows && <p class="muted grid-note">{t("table.capped", count(mostRows))}</p>}
    </>
  )
}

function Gap({ height, columns }: { height: number; columns: number }) {
  return (
    <tr class="gap" aria-hidden="true">
      <td colSpan={columns} style={{ height: `${height}px` }} />
    </tr>
  )
}

interface HeadProps {
  column: ResultColumn
  order: Order | undefined
  onSort?: (key: string, order: "asc" | "desc" | undefined) => void
}

function Head({ column, order, onSort }: HeadProps) {
  const sorted = order?.order === "desc" ? "descending" : order ? "ascending" : "none"
  const numeric = isNumeric(column.shape.dataType) && column.shape.measure
  const start = numeric ? "desc" : "asc"
  const next = !order ? start : order.order === start ? (start === "desc" ? "asc" : "desc") : undefined
  const text = (
    <span class="grow">
      {isolate(column.caption)}
      {column.unit && <span class="muted"> {isolate(column.unit)}</span>}
    </span>
  )
  return (
    <th scope="col" aria-sort={sorted} class={numeric ? "number" : undefined} title={column.key}>
      {onSort ? (
        <button type="button" onClick={() => onSort(column.key, next)} aria-label={t("table.sort", [column.caption, column.unit].filter(Boolean).map(isolate).join(" "))}>
          {text}
          {order && <Icon name={order.order === "desc" ? "fall" : "up"} />}
        </button>
      ) : (
        <span>{text}</span>
      )}
    </th>
  )
}

interface RowProps {
  index: number
  row: Row | null | undefined // null: there no more
  type: RowType
  keys: number[] // the columns that say which groups the row sums up
  columns: ResultColumn[]
  model: Model | undefined
}

function GridRow({ index, row, type, keys, columns, model }: RowProps) {
  const named = columns.findIndex((c, i) => !c.shape.measure && !keys.includes(i)) // where a row over several groups says what it is
  return (
    <tr aria-rowindex={index + 2} class={type === "data" ? undefined : "extra"}>
      {columns.map((c, i) => (
        <td key={c.key} class={isNumeric(c.shape.dataType) && c.shape.measure ? "number" : undefined}>
          {row ? (
            type === "data" || keys.includes(i) || c.shape.measure ? <Cell value={row[i]} column={c} model={model} /> : i === named && <em>{t(typeWord[type])}</em>
          ) : (
            <span class="muted" title={row === null ? t("table.gone") : undefined}>{row === null ? "–" : t("table.loading")}</span>
          )}
        </td>
      ))}
    </tr>
  )
}

const typeWord = { data: "table.null", subtotal: "table.subtotal", total: "table.total", others: "table.others" } as const

function Cell({ value, column, model }: { value: unknown; column: ResultColumn; model: Model | undefined }) {
  if (value === null || value === undefined) return <span class="null" title={t("table.null")}>–</span>
  const label = labelOf(model, fieldOf(model, column.field), value)
  if (label !== undefined) return <span title={String(value)}>{label}</span>
  if (column.shape.ratio || column.comparison === "diff") return <span class={Number(value) < 0 ? "fell" : "rose"}>{formatCell(value, column.shape)}</span>
  const text = formatCell(value, column.shape)
  return text.length > mostSeen ? <span title={text}>{text}</span> : <>{text}</>
}

/** footText is the total of a column; "" where it has none. */
function footText(c: ResultColumn, totals: Record<string, unknown>): string {
  const value = c.key in totals && c.key !== "total" ? totals[c.key] : undefined
  if (value === null || value === undefined) return ""
  return typeof value === "string" ? value : formatNumber(value as number, c.shape)
}

function Totals({ columns, totals, texts }: { columns: ResultColumn[]; totals: Record<string, unknown>; texts: string[] }) {
  return (
    <tfoot>
      <tr>
        {columns.map((c, i) =>
          i === 0 && !footText(c, totals) ? (
            <th key={c.key} scope="row" title={texts[i]}>
              {texts[i]}
            </th>
          ) : (
            <td key={c.key} class={c.shape.measure ? "number" : undefined}>
              {texts[i]}
            </td>
          ),
        )}
      </tr>
    </tfoot>
  )
}

/** widthOf is what a column needs for its head, its foot and its first rows, so that nothing moves while scrolling. */
function widthOf(c: ResultColumn, rows: Rows, i: number, model: Model | undefined, foot: string): number {
  const field = fieldOf(model, c.field)
  let widest = Math.max(cellWidth(c.caption + (c.unit ? " " + c.unit : "")) + 26, cellWidth(foot) * bold)
  for (let r = 0; r < Math.min(rows.length, 60); r++) {
    const value = rows.at(r)?.[i]
    if (value !== undefined && value !== null) widest = Math.max(widest, cellWidth(labelOf(model, field, value) ?? formatCell(value, c.shape)))
  }
  return Math.round(Math.max(88, Math.min(360, widest + 30)))
}

const bold = 1.06 // as wide as the same text in plain

/** cellWidth is how wide a text stands in the table, where digits and the signs between them are all as wide as each other. */
function cellWidth(text: string): number {
  return textWidth(text.replace(/[-+]/g, "0")) * 1.04
}
