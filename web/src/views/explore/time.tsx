import { useState } from "preact/hooks"
import { formatDate } from "../../format"
import type { Model } from "../../server/models"
import { comparisons, grains, periods, timeFields, type Grain, type Range, type TimeState } from "../../query/time"
import { maybe, t } from "../../words"

interface Props {
  model: Model
  state: TimeState
  measures: boolean // whether there is something to compare
  onChange: (state: TimeState) => void
}

/** The editor of time: which date, which range, by which grain, compared with what. */
export function TimeEditor({ model, state, measures, onChange }: Props) {
  const [custom, setCustom] = useState(Array.isArray(state.range))
  const fields = timeFields(model)
  const covered = model.timeRange
  const from = Array.isArray(state.range) ? state.range[0] : covered?.from ?? ""
  const to = Array.isArray(state.range) ? state.range[1] : covered?.to ?? ""
  const years = covered ? yearsOf(covered.from, covered.to) : []
  const set = (more: Partial<TimeState>) => onChange({ ...state, ...more })
  const pickRange = (value: string) => {
    setCustom(value === "custom")
    if (value === "custom") set({ range: [from, to] })
    else set({ range: value === "" ? undefined : value })
  }
  return (
    <div class="stack time-editor">
      {fields.length > 1 && (
        <label>
          <div class="field-label">{t("time.field")}</div>
          <select value={state.field.filter} onChange={(e) => set({ field: fields.find((f) => f.filter === e.currentTarget.value) ?? state.field })}>
            {fields.map((f) => (
              <option key={f.filter} value={f.filter}>
                {f.caption}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        <div class="field-label">{t("time.range")}</div>
        <select data-first value={custom ? "custom" : typeof state.range === "string" ? state.range : ""} onChange={(e) => pickRange(e.currentTarget.value)}>
          <option value="">{t("time.all")}</option>
          {periods.map((p) => (
            <option key={p} value={p}>
              {t(`range.${p}`)}
            </option>
          ))}
          {years.map((y) => (
            <option key={y} value={y}>
              {y}
            </option>
          ))}
          {typeof state.range === "string" && state.range && !(periods as readonly string[]).includes(state.range) && !years.includes(state.range) && <option value={state.range}>{state.range}</option>}
          <option value="custom">{t("time.custom")}</option>
        </select>
      </label>
      {custom && (
        <div class="row">
          <label class="grow">
            <div class="field-label">{t("filter.from")}</div>
            <input type="date" value={from} min={covered?.from} max={covered?.to} onChange={(e) => e.currentTarget.value && set({ range: [e.currentTarget.value, to] })} />
          </label>
          <label class="grow">
            <div class="field-label">{t("filter.to")}</div>
            <input type="date" value={to} min={covered?.from} max={covered?.to} onChange={(e) => e.currentTarget.value && set({ range: [from, e.currentTarget.value] })} />
          </label>
        </div>
      )}
      <div class="row">
        <label class="grow">
          <div class="field-label">{t("time.grain")}</div>
          <select value={state.grain ?? ""} onChange={(e) => set({ grain: (e.currentTarget.value || undefined) as Grain | undefined })}>
            {!state.comparison && <option value="">{t("time.noGrain")}</option>}
            {grains
              .filter((g) => state.comparison || state.field.grains[g])
              .map((g) => (
                <option key={g} value={g}>
                  {t(`grain.${g}`)}
                </option>
              ))}
          </select>
        </label>
        <label class="grow">
          <div class="field-label">{t("time.compare")}</div>
          <select value={state.comparison ?? ""} disabled={!measures} onChange={(e) => set({ comparison: e.currentTarget.value || undefined })}>
            <option value="">{t("time.noCompare")}</option>
            {comparisons.map((c) => (
              <option key={c} value={c}>
                {t(`compare.${c}`)}
              </option>
            ))}
          </select>
        </label>
      </div>
    </div>
  )
}

function yearsOf(from: string, to: string): string[] {
  const years = []
  for (let y = Number(to.slice(0, 4)); y >= Number(from.slice(0, 4)) && years.length < 6; y--) years.push(String(y))
  return years
}

/** timeText says what is asked of time, in a few words. */
export function timeText(s: TimeState): string {
  const words = [rangeText(s.range)]
  if (s.grain) words.push(t("time.by", maybe(`grain.${s.grain}`) ?? s.grain))
  if (s.comparison) words.push(comparisonText(s.comparison))
  return words.join(" · ")
}

function comparisonText(comparison: string): string {
  const word = maybe(`compare.${comparison}`) ?? comparison
  return ["yoy", "mom", "wow"].includes(comparison) ? t("time.against", word) : word
}

function rangeText(range: Range | undefined): string {
  if (range === undefined) return t("time.all")
  if (Array.isArray(range)) return `${formatDate(range[0])} – ${formatDate(range[1])}`
  return maybe(`range.${range}`) ?? range
}
