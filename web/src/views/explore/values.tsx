import { useState } from "preact/hooks"
import { count, formatCell, isNumeric, isTime } from "../../format"
import { Listbox, type Choice } from "../../parts/listbox"
import { failureText } from "../../parts/reasons"
import type { Operator } from "../../query/operators"
import { Exact } from "../../server/exact"
import { identity } from "../../server/connection"
import { fieldValues, labelOf, type Field, type Model } from "../../server/models"
import { useTask } from "../../task"
import { t } from "../../words"

interface Props {
  model: Model
  field: Field
  op: Operator
  values: unknown[]
  onChange: (values: unknown[]) => void
}

/** What a condition compares with: nothing, one value, two ends, or any number of values to pick from. */
export function Values({ model, field, op, values, onChange }: Props) {
  if (op.wants === "none") return null
  if (op.wants === "many") return <Suggested model={model} field={field} values={values} onChange={onChange} />
  if (field.dataType === "boolean") {
    return (
      <select aria-label={t("filter.value")} value={String(values[0] ?? true)} onChange={(e) => onChange([e.currentTarget.value === "true"])}>
        <option value="true">{t("filter.yes")}</option>
        <option value="false">{t("filter.no")}</option>
      </select>
    )
  }
  const one = (i: number, label: string) => (
    <label class="grow" key={i}>
      <span class="field-label">{label}</span>
      <input
        {...{ type: (asDate(field, op, values) ? "date" : "text") as "text" }}
        {...(isNumeric(field.dataType) && { inputMode: "decimal" as const })}
        autocomplete="off"
        spellcheck={false}
        value={String(values[i] ?? "")}
        placeholder={op.word === "period" ? "2024-01" : ""}
        onInput={(e) => onChange(replaced(values, i, e.currentTarget.value))}
      />
    </label>
  )
  if (op.wants === "one") return one(0, t("filter.value"))
  return (
    <div class="row">
      {one(0, t("filter.from"))}
      {one(1, t("filter.to"))}
    </div>
  )
}

/** asDate says whether the calendar of the browser can show the values; a period in words or a time of day it cannot. */
function asDate(field: Field, op: Operator, values: unknown[]): boolean {
  if (!isTime(field.dataType) || op.word === "period" || op.op === "=") return false
  return values.every((v) => v === null || v === undefined || v === "" || /^\d{4}-\d\d-\d\d$/.test(String(v)))
}

function replaced(values: unknown[], i: number, value: unknown): unknown[] {
  const next = [...values]
  while (next.length <= i) next.push("")
  next[i] = value
  return next
}

function keyOf(v: unknown): string {
  return v instanceof Exact ? `exact ${v.text}` : `${typeof v} ${String(v)}`
}

/** Values of the field to pick from, those that were picked first. */
function Suggested({ model, field, values, onChange }: Omit<Props, "op">) {
  const [search, setSearch] = useState("")
  const task = useTask(identity.value + model.model + field.name + "\n" + search, (signal) => fieldValues(model.model, field.name, search, signal))
  const shape = { dataType: field.dataType, measure: false }
  const text = (v: unknown) => (v === null ? t("filter.empty") : labelOf(model, field, v) ?? formatCell(v, shape))
  const picked = new Set(values.map(keyOf))
  const found = (task.data ?? []).filter((v) => !picked.has(keyOf(v.value)))
  const byKey = new Map<string, unknown>([...values, ...found.map((v) => v.value)].map((v) => [keyOf(v), v]))
  const choices: Choice[] = [
    ...values.map((v) => ({ value: keyOf(v), label: text(v), selected: true })),
    ...found.map((v) => ({ value: keyOf(v.value), label: v.label ?? text(v.value), note: v.count === undefined ? "" : count(v.count) })),
  ]
  const typed = search.trim()
  if (typed && (task.data || task.failure) && !choices.some((c) => c.label.toLowerCase() === typed.toLowerCase())) {
    choices.push({ value: keyOf(typed), label: t("filter.use", typed) })
    byKey.set(keyOf(typed), typed)
  }
  const pick = (key: string) => onChange(picked.has(key) ? values.filter((v) => keyOf(v) !== key) : [...values, byKey.get(key)])
  return (
    <Listbox label={t("filter.value")} placeholder={t("filter.searchValues")} choices={choices} onPick={pick} onSearch={setSearch} none={task.running ? t("table.loading") : t("filter.noValues")} multiple>
      {task.failure && <p class="muted">{failureText(task.failure)}</p>}
    </Listbox>
  )
}
