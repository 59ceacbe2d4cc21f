import { useEffect, useRef, useState } from "preact/hooks"
import { formatCell, isNumeric, isTime } from "../../format"
import { Listbox, type Choice } from "../../parts/listbox"
import { isMinor } from "../../query/groups"
import { operatorsOf, type Operator } from "../../query/operators"
import type { Condition } from "../../query/payload"
import { identity } from "../../server/connection"
import { fieldOf, fieldValues, labelOf, type Field, type Model } from "../../server/models"
import { useTask } from "../../task"
import { maybe, t } from "../../words"

interface Props {
  model: Model
  condition: Condition | undefined // undefined: a new one
  onApply: (c: Condition) => void
}

/** The editor of one condition: field, operator that fits its type, values with suggestions. */
export function FilterEditor({ model, condition, onApply }: Props) {
  const [name, setName] = useState(condition?.field ?? "")
  const field = fieldOf(model, name)
  if (!field) {
    return (
      <Listbox
        label={t("filter.field")}
        placeholder={t("models.searchFields")}
        none={t("models.noField", "")}
        choices={model.fields.filter((f) => !isMinor(f)).map((f) => ({ value: f.name, label: f.caption, note: f.kind === "MEASURE" ? t("models.measures") : f.name.includes("$") ? f.name.split("$")[0] ?? "" : "" }))}
        onPick={setName}
      />
    )
  }
  return <ConditionEditor key={name} model={model} field={field} condition={condition?.field === name ? condition : undefined} onApply={onApply} onBack={() => setName("")} />
}

interface EditorProps extends Props {
  field: Field
  onBack: () => void
}

function ConditionEditor({ model, field, condition, onApply, onBack }: EditorProps) {
  const operators = operatorsOf(field.dataType, field.kind === "MEASURE", field.dictionary !== undefined)
  const known = operators.find((o) => o.op === condition?.op) ?? (condition?.op === "=" ? operators.find((o) => o.op === "in") : undefined)
  const [op, setOp] = useState<Operator>(known ?? (operators[0] as Operator))
  const [values, setValues] = useState<unknown[]>(condition ? initial(condition) : field.dataType === "boolean" ? [true] : [])
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => (form.current?.querySelector("input") ?? form.current?.querySelector("select"))?.focus(), [])
  const done = () => {
    const value = valueOf(op, field, values)
    if (op.wants === "none") onApply({ field: field.name, op: op.op })
    else if (value !== undefined) onApply({ field: field.name, op: op.op, value })
  }
  return (
    <form
      ref={form}
      class="stack"
      onSubmit={(e) => {
        e.preventDefault()
        done()
      }}
    >
      <div class="row">
        <strong class="grow">{field.caption}</strong>
        {!condition && (
          <button class="button bare small" type="button" onClick={onBack}>
            {t("filter.field")}
          </button>
        )}
      </div>
      <label>
        <span class="hidden-text">{t("filter.op")}</span>
        <select value={op.op} aria-label={t("filter.op")} onChange={(e) => setOp(operators.find((o) => o.op === e.currentTarget.value) ?? op)}>
          {operators.map((o) => (
            <option key={o.op} value={o.op}>
              {maybe(`op.${o.word}`) ?? o.op}
            </option>
          ))}
        </select>
      </label>
      <Values model={model} field={field} op={op} values={values} onChange={setValues} />
      <button class="button main" type="submit">
        {t("filter.apply")}
      </button>
    </form>
  )
}

function initial(c: Condition | undefined): unknown[] {
  if (!c || c.value === undefined) return []
  return Array.isArray(c.value) ? c.value : [c.value]
}

function valueOf(op: Operator, field: Field, values: unknown[]): unknown {
  const typed = values.map((v) => typedValue(field, v))
  if (op.wants === "many") return typed.length > 0 ? typed : undefined
  if (op.wants === "range") return typed.some((v) => v !== null && v !== "") ? [typed[0] || null, typed[1] || null] : undefined
  return typed[0] === undefined || typed[0] === "" ? undefined : typed[0]
}

function typedValue(field: Field, v: unknown): unknown {
  if (typeof v !== "string" || v.trim() === "" || !isNumeric(field.dataType)) return v
  return Number.isNaN(Number(v)) ? v : Number(v)
}

interface ValuesProps {
  model: Model
  field: Field
  op: Operator
  values: unknown[]
  onChange: (values: unknown[]) => void
}

function Values({ model, field, op, values, onChange }: ValuesProps) {
  if (op.wants === "none") return null
  if (field.dataType === "boolean") {
    return (
      <select aria-label={t("filter.value")} value={String(values[0] ?? true)} onChange={(e) => onChange([e.currentTarget.value === "true"])}>
        <option value="true">{t("filter.yes")}</option>
        <option value="false">{t("filter.no")}</option>
      </select>
    )
  }
  if (op.wants === "many") return <Suggested model={model} field={field} values={values} onChange={onChange} />
  const type = isTime(field.dataType) && op.word !== "period" ? "date" : isNumeric(field.dataType) ? "number" : "text"
  const one = (i: number, label: string) => (
    <label class="grow" key={i}>
      <span class="field-label">{label}</span>
      <input {...{ type: type as "text" }} step="any" value={String(values[i] ?? "")} placeholder={op.word === "period" ? "2024-01" : ""} onInput={(e) => onChange(replaced(values, i, e.currentTarget.value))} />
    </label>
  )
  if (op.wants === "range") {
    return (
      <div class="row">
        {one(0, t("filter.from"))}
        {one(1, t("filter.to"))}
      </div>
    )
  }
  return one(0, t("filter.value"))
}

function replaced(values: unknown[], i: number, value: unknown): unknown[] {
  const next = [...values]
  while (next.length <= i) next.push("")
  next[i] = value
  return next
}

/** Values of the field to pick from, those that were picked first. */
function Suggested({ model, field, values, onChange }: Omit<ValuesProps, "op">) {
  const [search, setSearch] = useState("")
  const task = useTask(identity.value + model.model + field.name + "\n" + search, (signal) => fieldValues(model.model, field.name, search, signal))
  const shape = { dataType: field.dataType, measure: false }
  const key = (v: unknown) => JSON.stringify(v)
  const text = (v: unknown) => (v === null ? t("filter.empty") : labelOf(model, field, v) ?? formatCell(v, shape))
  const found = (task.data ?? []).filter((v) => !values.some((w) => key(w) === key(v.value)))
  const choices: Choice[] = [
    ...values.map((v) => ({ value: key(v), label: text(v), selected: true })),
    ...found.map((v) => ({ value: key(v.value), label: v.label ?? text(v.value), note: v.count === undefined ? "" : new Intl.NumberFormat().format(v.count) })),
  ]
  const typed = search.trim()
  if (typed && task.data && !choices.some((c) => c.label.toLowerCase() === typed.toLowerCase())) choices.push({ value: key(typed), label: t("filter.use", typed) })
  const pick = (value: string) => {
    const chosen = JSON.parse(value) as unknown
    onChange(values.some((v) => key(v) === value) ? values.filter((v) => key(v) !== value) : [...values, chosen])
  }
  return (
    <Listbox label={t("filter.value")} placeholder={t("filter.searchValues")} choices={choices} onPick={pick} onSearch={setSearch} none={task.running ? t("table.loading") : t("filter.noValues")} multiple>
      {task.failure && <p class="muted">{task.failure.message}</p>}
    </Listbox>
  )
}

/** conditionText says a condition in words. */
export function conditionText(c: Condition, model: Model): string {
  const field = fieldOf(model, c.field)
  const shape = { dataType: field?.dataType ?? "string", measure: field?.kind === "MEASURE" }
  const one = (v: unknown): string => (v === null || v === undefined ? t("filter.empty") : typeof v === "object" ? JSON.stringify(v) : labelOf(model, field, v) ?? formatCell(v, shape))
  const operator = operatorsOf(shape.dataType, shape.measure).find((o) => o.op === c.op)
  const word = maybe(`op.${operator?.word ?? c.op}`) ?? c.op
  const subject = field?.caption ?? c.field
  if (c.value === undefined) return `${subject} ${word}`
  if (!Array.isArray(c.value)) return `${subject} ${word} ${one(c.value)}`
  const list = c.value as unknown[]
  if (c.op.length === 2 && /[[(]/.test(c.op)) return `${subject} ${list.map(one).join(" – ")}`
  const shown = list.slice(0, 3).map(one).join(", ") + (list.length > 3 ? ` +${list.length - 3}` : "")
  return `${subject} ${list.length === 1 ? t(c.op === "in" ? "op.=" : "op.!=") : word} ${shown}`
}

