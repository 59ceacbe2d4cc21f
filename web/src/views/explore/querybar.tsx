import type { ComponentChildren } from "preact"
import { useMemo } from "preact/hooks"
import { isolate } from "../../bidi"
import { searchEvent } from "../../frame/keys"
import { Icon } from "../../parts/icon"
import { removeColumn, removeKey, shift } from "../../query/edit"
import { grouped, hiddenKeys, parts, tidy, type Column, type Condition, type Payload, type RawCondition } from "../../query/payload"
import { readTime, shownRange, writeTime } from "../../query/time"
import { write } from "../../server/exact"
import { fieldOf, type Model } from "../../server/models"
import { t } from "../../words"
import { AddChip, Chip } from "./chips"
import { conditionText, editable } from "./condition"
import { FilterEditor } from "./filter"
import { RowsLine } from "./rowsline"
import { TimeEditor, timeText } from "./time"

interface Props {
  model: Model
  payload: Payload
  onChange: (p: Payload) => void
}

interface BarProps extends Props {
  odd: Record<string, unknown> // clauses that only the server can judge
  onDrop: (clause: string) => void
}

const mostShown = 80

/** The query as a sentence of parts that can be changed. */
export function QueryBar({ model, payload, odd, onChange, onDrop }: BarProps) {
  const { keys, measures } = parts(payload, model)
  return (
    <section class="card query-bar" aria-label={t("explore.understood")}>
      <Line label={t("explore.show")}>
        {measures.map((c) => (
          <ColumnChip key={c.key} column={c} tone="measure" model={model} payload={payload} onChange={onChange} />
        ))}
        <PickMore label={t("explore.pickMeasure")} bare={measures.length > 0} />
      </Line>
      <Line label={t("explore.by")}>
        {keys.map((c) => (
          <ColumnChip key={c.key} column={c} tone="key" model={model} payload={payload} onChange={onChange} />
        ))}
        {hiddenKeys(payload).map((k) => (
          <Chip key={k} text={t("explore.hiddenKey", fieldOf(model, k)?.caption ?? k)} tone="key" title={k} onRemove={() => onChange(removeKey(payload, k))} />
        ))}
        <PickMore label={t("explore.pickKey")} bare={keys.length > 0} />
      </Line>
      <TimeLine model={model} payload={payload} onChange={onChange} />
      <Where model={model} payload={payload} onChange={onChange} />
      <RowsLine model={model} payload={payload} onChange={onChange} />
      {Object.keys(odd).length > 0 && (
        <Line label={t("explore.also")}>
          {Object.entries(odd).map(([name, value]) => (
            <Chip key={name} text={shortened(`${name}: ${write(value)}`)} title={write(value)} onRemove={() => onDrop(name)} />
          ))}
        </Line>
      )}
    </section>
  )
}

function shortened(text: string): string {
  return text.length > mostShown ? text.slice(0, mostShown) + "…" : text
}

export function Line({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="query-line">
      <span class="query-label">{label}</span>
      <div class="query-parts">{children}</div>
    </div>
  )
}

function PickMore({ label, bare }: { label: string; bare: boolean }) {
  return (
    <button class="chip-add" type="button" aria-label={label} onClick={() => dispatchEvent(new Event(searchEvent))}>
      <Icon name="plus" />
      {!bare && label}
    </button>
  )
}

function ColumnChip({ column, tone, model, payload, onChange }: Props & { column: Column; tone: "measure" | "key" }) {
  const field = fieldOf(model, column.field)
  const calculated = payload.calculatedFields?.find((c) => c.name === column.field)
  const caption = field?.caption ?? column.key
  const text = column.fn && column.fn !== field?.aggregation ? `${column.fn} ${isolate(caption)}` : caption
  const remove = () => onChange(removeColumn(payload, model, column.key))
  return <Chip text={text} tone={tone} title={calculated ? calculated.expression : column.text} onRemove={remove} onMove={(by) => onChange(shift(payload, model, column.key, by))} />
}

function TimeLine({ model, payload, onChange }: Props) {
  const state = readTime(payload, model)
  if (!state) return null
  const used = state.range !== undefined || state.grain !== undefined || state.comparison !== undefined
  const editor = () => (
    <TimeEditor model={model} state={state} measures={parts(payload, model).measures.length > 0} onChange={(s) => onChange(writeTime(payload, model, s, (payload.columns ?? []).length === 0 || grouped(payload, model)))} />
  )
  const clear = () => onChange(writeTime(payload, model, { ...state, range: undefined, grain: undefined, comparison: undefined }, grouped(payload, model)))
  return (
    <Line label={t("explore.when")}>
      <Chip text={used ? timeText(state) : t("explore.anyTime")} tone={used ? undefined : "unset"} title={state.field.caption} editor={editor} {...(used && { onRemove: clear })} />
    </Line>
  )
}

type Clause = "slice" | "having"

/** Every condition of the query but the range that the line of time shows. Those on groups have a line of their own. */
function Where({ model, payload, onChange }: Props) {
  const byTime = shownRange(payload, model)
  const set = (clause: Clause, list: (Condition | RawCondition)[]) => onChange(tidy({ ...payload, [clause]: list }))
  const add = (c: Condition) => {
    const clause: Clause = fieldOf(model, c.field)?.kind === "MEASURE" && grouped(payload, model) ? "having" : "slice"
    set(clause, [...(payload[clause] ?? []), c])
  }
  const chips = (clause: Clause) =>
    (payload[clause] ?? []).map((condition, at) =>
      clause === "slice" && at === byTime ? null : <ConditionChip key={clause + at} model={model} condition={condition} onRemove={() => set(clause, (payload[clause] ?? []).filter((_, i) => i !== at))} onApply={(c) => set(clause, (payload[clause] ?? []).map((old, i) => (i === at ? c : old)))} />,
    )
  return (
    <>
      <Line label={t("explore.where")}>
        {chips("slice")}
        <AddChip
          label={t("explore.addFilter")}
          editor={(close) => (
            <FilterEditor
              model={model}
              condition={undefined}
              onApply={(c) => {
                close()
                add(c)
              }}
            />
          )}
        />
      </Line>
      {(payload.having ?? []).length > 0 && <Line label={t("explore.having")}>{chips("having")}</Line>}
    </>
  )
}

interface ConditionProps {
  model: Model
  condition: Condition | RawCondition
  onRemove: () => void
  onApply: (c: Condition) => void
}

/** A condition in words. What the editor could not show as it is can only be taken away. */
function ConditionChip({ model, condition, onRemove, onApply }: ConditionProps) {
  const text = conditionText(condition, model)
  const title = write(condition)
  const whole = useMemo(() => editable(condition, model), [condition, model])
  if (!whole) return <Chip text={text} title={title} onRemove={onRemove} />
  return (
    <Chip
      text={text}
      title={title}
      onRemove={onRemove}
      editor={(close) => (
        <FilterEditor
          model={model}
          condition={whole}
          onApply={(c) => {
            close()
            if (c !== whole) onApply(c)
          }}
        />
      )}
    />
  )
}
