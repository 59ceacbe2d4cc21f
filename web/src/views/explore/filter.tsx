import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { isNumeric, isTime, readNumber } from "../../format"
import { Listbox } from "../../parts/listbox"
import { dimensionCaption, dimensionOf, isMinor } from "../../query/groups"
import { offered, operatorsOf, readOperator, type Operator } from "../../query/operators"
import type { Condition } from "../../query/payload"
import { fieldOf, type Field, type Model } from "../../server/models"
import { t } from "../../words"
import { wordOf } from "./condition"
import { Values } from "./values"

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
        none={t("models.noFields")}
        choices={model.fields.filter((f) => !isMinor(f)).map((f) => ({ value: f.name, label: f.caption, note: noteOf(model, f) }))}
        onPick={setName}
      />
    )
  }
  return <ConditionEditor key={name} model={model} field={field} condition={condition?.field === name ? condition : undefined} onApply={onApply} onBack={() => setName("")} />
}

function noteOf(model: Model, f: Field): string {
  return f.kind === "MEASURE" ? t("models.measures") : dimensionOf(f) ? dimensionCaption(model, dimensionOf(f)) : ""
}

interface EditorProps extends Props {
  field: Field
  onBack: () => void
}

function ConditionEditor({ model, field, condition, onApply, onBack }: EditorProps) {
  const operators = offered(operatorsOf(field.dataType, field.kind === "MEASURE", field.dictionary !== undefined), condition?.op)
  const [op, setOp] = useState<Operator>(operators.find((o) => o.op === condition?.op) ?? (operators[0] as Operator))
  const [values, setValues] = useState<unknown[]>(condition ? initial(condition) : [])
  const [touched, touch] = useState(false)
  const [wrong, setWrong] = useState("")
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => (form.current?.querySelector("input") ?? form.current?.querySelector("select"))?.focus({ preventScroll: true }), [])
  const done = () => {
    if (condition && !touched) return onApply(condition)
    const read = readValues(op, field, values)
    if (read.wrong !== undefined) setWrong(read.wrong)
    else onApply(written(condition, field, op, read.value))
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
        <select
          value={op.op}
          aria-label={t("filter.op")}
          onChange={(e) => {
            setOp(operators.find((o) => o.op === e.currentTarget.value) ?? op)
            touch(true)
          }}
        >
          {operators.map((o) => (
            <option key={o.op} value={o.op}>
              {wordOf(o.word, isTime(field.dataType))}
            </option>
          ))}
        </select>
      </label>
      <Values
        model={model}
        field={field}
        op={op}
        values={values}
        onChange={(next) => {
          setValues(next)
          setWrong("")
          touch(true)
        }}
      />
      {wrong && (
        <p class="wrong" role="alert">
          {wrong}
        </p>
      )}
      <button class="button main" type="submit">
        {t("filter.apply")}
      </button>
    </form>
  )
}

function initial(c: Condition): unknown[] {
  if (c.value === undefined || readOperator(c.op)?.wants === "none") return []
  return Array.isArray(c.value) ? c.value : [c.value]
}

/** written is the condition as it is now; the depth of a hierarchy stays while the operator walks one. */
function written(before: Condition | undefined, field: Field, op: Operator, value: unknown): Condition {
  const plain = { field: field.name, op: op.op, ...(value !== undefined && { value }) }
  return before && /(children|descendants|ancestors)_?of$/i.test(op.op) ? { ...before, ...plain } : plain
}

type ReadValues = { value?: unknown; wrong?: undefined } | { wrong: string }

/** readValues gives what was entered the types of the field, or says what is missing or wrong. */
function readValues(op: Operator, field: Field, values: unknown[]): ReadValues {
  if (op.wants === "none") return {}
  if (field.dataType === "boolean" && op.wants === "one") return { value: typeof values[0] === "boolean" ? values[0] : true }
  const typed = values.map((v) => typedValue(field, v))
  const bad = typed.findIndex((v) => v === undefined)
  if (bad >= 0) return { wrong: t("filter.notNumber", String(values[bad])) }
  const empty = (v: unknown) => v === null || v === undefined || v === ""
  if (op.wants === "range") {
    const ends = [typed[0], typed[1]].map((v) => (empty(v) ? null : v))
    return ends.every(empty) ? { wrong: t("filter.needOne") } : { value: ends }
  }
  if (op.wants === "many") return typed.length > 0 ? { value: typed } : { wrong: t("filter.needOne") }
  return empty(typed[0]) ? { wrong: t("filter.needOne") } : { value: typed[0] }
}

/** typedValue reads a number with all its digits; undefined is no number. Texts of other fields stay as they are. */
function typedValue(field: Field, v: unknown): unknown {
  return typeof v !== "string" || v.trim() === "" || !isNumeric(field.dataType) ? v : readNumber(v, field.dataType)
}
