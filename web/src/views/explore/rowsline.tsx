import { isolate } from "../../bidi"
import { count } from "../../format"
import { arrange, sortBy } from "../../query/edit"
import { grouped, orders, parts, readColumn, tidy, type Payload } from "../../query/payload"
import { fieldOf, type Model } from "../../server/models"
import { listed, t } from "../../words"
import { Chip } from "./chips"
import { Line } from "./querybar"

interface Props {
  model: Model
  payload: Payload
  onChange: (p: Payload) => void
}

const sizes = [3, 5, 10, 20, 50]

/** What a row is, how many there are, and what is summed up. */
export function RowsLine({ model, payload, onChange }: Props) {
  const asGroups = (payload.columns ?? []).length === 0 || grouped(payload, model)
  const { keys, measures } = parts(payload, model)
  const mode = (groups: boolean) => onChange(arrange(payload, model, groups))
  const onlyGroups = grouped(arrange(payload, model, false), model)
  return (
    <Line label={t("explore.how")}>
      <div class="segments" role="group" aria-label={t("explore.how")}>
        <button type="button" aria-pressed={asGroups} onClick={() => mode(true)}>
          {t("explore.groups")}
        </button>
        <button type="button" aria-pressed={!asGroups} disabled={keys.length + measures.length === 0 || payload.timeWindow !== undefined || onlyGroups} title={onlyGroups && !payload.timeWindow ? t("explore.onlyGroups") : undefined} onClick={() => mode(false)}>
          {t("explore.everyRow")}
        </button>
      </div>
      {asGroups && keys.length > 0 && measures.length > 0 && !payload.timeWindow && <Top model={model} payload={payload} onChange={onChange} />}
      <Check label={t("explore.totals")} on={payload.returnTotal === true} onChange={(on) => onChange(tidy({ ...payload, returnTotal: on }))} />
      {(payload.withSubtotals || (asGroups && keys.length > 1 && !payload.topN && !payload.timeWindow)) && <Check label={t("explore.subtotals")} on={payload.withSubtotals === true} onChange={(on) => onChange(tidy({ ...payload, withSubtotals: on }))} />}
      <Extras model={model} payload={payload} onChange={onChange} />
    </Line>
  )
}

type Clause = "limit" | "start" | "page" | "pageSize" | "distinct" | "exColumns"

/** What a query may say of its rows that nothing else here shows. Each can be taken away. */
function Extras({ model, payload, onChange }: Props) {
  const without = (clause: Clause) => () => {
    const { [clause]: _gone, ...rest } = payload
    onChange(rest)
  }
  const shown = new Set((payload.columns ?? []).map((c) => readColumn(c).key))
  const hidden = orders(payload).filter((o) => !shown.has(o.field))
  return (
    <>
      {payload.limit !== undefined && <Chip text={t(payload.page !== undefined && payload.start === undefined ? "explore.pageSize" : "explore.firstRows", count(payload.limit))} onRemove={without("limit")} />}
      {payload.start !== undefined && payload.start !== 0 && <Chip text={t("explore.startAt", count(payload.start))} onRemove={without("start")} />}
      {payload.pageSize !== undefined && <Chip text={t("explore.pageSize", count(payload.pageSize))} onRemove={without("pageSize")} />}
      {payload.page !== undefined && <Chip text={t("explore.page", count(payload.page))} onRemove={without("page")} />}
      {payload.distinct && <Chip text={t("explore.distinct")} onRemove={without("distinct")} />}
      {(payload.exColumns ?? []).length > 0 && <Chip text={t("explore.without", listed((payload.exColumns ?? []).map(String)))} onRemove={without("exColumns")} />}
      {!payload.timeWindow &&
        hidden.map((o) => <Chip key={o.field} text={t(o.order === "desc" ? "explore.orderDown" : "explore.orderUp", fieldOf(model, o.field)?.caption ?? o.field)} onRemove={() => onChange(sortBy(payload, o.field, undefined))} />)}
    </>
  )
}

function Check({ label, on, onChange }: { label: string; on: boolean; onChange: (on: boolean) => void }) {
  return (
    <label class="check">
      <input type="checkbox" checked={on} onChange={(e) => onChange(e.currentTarget.checked)} />
      {label}
    </label>
  )
}

/** The first groups by a measure, with the rest as one row. */
function Top({ model, payload, onChange }: Props) {
  const { measures } = parts(payload, model)
  const first = measures[0]
  const top = payload.topN
  const [by = "", direction = "desc"] = (top?.by ?? first?.key ?? "").split(/\s+(?=asc$|desc$)/i)
  const bottom = direction.toLowerCase() === "asc"
  const value = top ? `${bottom ? "-" : ""}${top.n}` : ""
  const set = (more: Partial<NonNullable<Payload["topN"]>> | undefined) => {
    const { topN: _old, withSubtotals: _sub, ...rest } = payload
    onChange(more ? tidy({ ...rest, topN: { by, n: 10, ...top, ...more } }) : rest)
  }
  const pick = (text: string) => {
    if (text === "") return set(undefined)
    const n = Number(text)
    set({ n: Math.abs(n), by: n < 0 ? `${by} asc` : by })
  }
  const known = sizes.includes(top?.n ?? 5) ? sizes : [...sizes, top?.n ?? 0].sort((a, b) => a - b)
  return (
    <span class="row top-line">
      <select aria-label={t("explore.top")} value={value} onChange={(e) => pick(e.currentTarget.value)}>
        <option value="">{t("explore.topAll")}</option>
        {known.map((n) => (
          <option key={n} value={String(n)}>
            {t("explore.topN", n)}
          </option>
        ))}
        {known.slice(0, 3).map((n) => (
          <option key={-n} value={String(-n)}>
            {t("explore.bottomN", n)}
          </option>
        ))}
      </select>
      {top && measures.length > 1 && (
        <select aria-label={t("explore.topBy")} value={by} onChange={(e) => set({ by: bottom ? `${e.currentTarget.value} asc` : e.currentTarget.value })}>
          {measures.map((m) => (
            <option key={m.key} value={m.key}>
              {t("explore.topBy")} {isolate(fieldOf(model, m.field)?.caption ?? m.key)}
            </option>
          ))}
        </select>
      )}
      {top && <Check label={t("explore.others")} on={top.others === true} onChange={(on) => set({ others: on })} />}
    </span>
  )
}
