import { useRef, useState } from "preact/hooks"
import { searchEvent, useKey } from "../../frame/keys"
import { Icon } from "../../parts/icon"
import { distance, Listbox } from "../../parts/listbox"
import { Popover } from "../../parts/popover"
import { fieldGroups, isMinor, type FieldGroup } from "../../query/groups"
import { readColumn, type Payload } from "../../query/payload"
import type { Field, Model, ModelCard } from "../../server/models"
import { maybe, t } from "../../words"

interface Props {
  models: ModelCard[]
  model: Model | undefined
  payload: Payload
  onModel: (name: string) => void
  onToggle: (field: Field) => void
}

/** The model and its fields: type to narrow, Enter or Space to pick. */
export function Rail({ models, model, payload, onModel, onToggle }: Props) {
  const [choosing, choose] = useState(false)
  const [search, setSearch] = useState("")
  const [folded, fold] = useState(true)
  const box = useRef<HTMLInputElement>(null)
  useKey(searchEvent, () => {
    fold(false)
    box.current?.focus()
  })
  const picked = new Set((payload.columns ?? []).map((c) => readColumn(c).field))
  const listed = (f: Field) => search !== "" || picked.has(f.name) || !isMinor(f)
  const groups = model ? fieldGroups(model, search).map((g) => ({ ...g, fields: g.fields.filter(listed) })).filter((g) => g.fields.length > 0) : []
  const [first] = groups.flatMap((g) => g.fields).toSorted((a, b) => distance(search, a.caption) - distance(search, b.caption))
  return (
    <aside class={folded ? "rail folded" : "rail"} aria-label={t("explore.fields")}>
      <div class="anchor model-choice">
        <button class="button grow" type="button" aria-haspopup="dialog" aria-expanded={choosing} onClick={() => choose(!choosing)}>
          <span class="grow">{model?.caption ?? t("explore.choose")}</span>
          <Icon name="down" />
        </button>
        {choosing && (
          <Popover label={t("explore.choose")} onClose={() => choose(false)}>
            <Listbox
              label={t("explore.model")}
              placeholder={t("models.search")}
              none={t("models.noModels")}
              choices={models.map((m) => ({ value: m.name, label: m.caption, note: m.measures > 0 ? "" : t("models.lookup"), selected: m.name === model?.model }))}
              onPick={(name) => {
                choose(false)
                onModel(name)
              }}
            />
          </Popover>
        )}
      </div>
      {model && (
        <button class="button small rail-toggle" type="button" aria-expanded={!folded} onClick={() => fold(!folded)}>
          {t("explore.fields")}
          <Icon name="down" />
        </button>
      )}
      {model && (
        <div class="search rail-folds">
          <Icon name="search" />
          <input
            ref={box}
            type="search"
            value={search}
            placeholder={t("explore.search")}
            aria-label={t("models.searchFields")}
            onInput={(e) => setSearch(e.currentTarget.value)}
            onKeyDown={(e) => {
              if (e.key === "Enter" && first && search) onToggle(first)
              else if (e.key === "ArrowDown") focusField(0)
              else return
              e.preventDefault()
            }}
          />
        </div>
      )}
      <div class="rail-scroll field-list" onKeyDown={alongFields}>
        {model && groups.length === 0 && <p class="muted">{t("models.noField", search)}</p>}
        {groups.map((g) => (
          <Group key={g.kind + g.name} group={g} open={search !== "" || g.kind !== "dimension" || g.fields.some((f) => picked.has(f.name))} picked={picked} onToggle={onToggle} />
        ))}
      </div>
    </aside>
  )
}

function fieldButtons(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(".field-list summary, .field-list details[open] .pick, .field-list .field-plain .pick")].filter((e) => e.offsetParent !== null)
}

function focusField(i: number): void {
  fieldButtons()[i]?.focus()
}

function alongFields(e: KeyboardEvent): void {
  if (e.key !== "ArrowDown" && e.key !== "ArrowUp") return
  e.preventDefault()
  const at = fieldButtons().indexOf(document.activeElement as HTMLElement)
  focusField(at + (e.key === "ArrowDown" ? 1 : -1))
}

interface GroupProps {
  group: FieldGroup
  open: boolean
  picked: Set<string>
  onToggle: (field: Field) => void
}

function Group({ group, open, picked, onToggle }: GroupProps) {
  const list = (
    <ul>
      {group.fields.map((f) => (
        <li key={f.name}>
          <button class={f.kind === "MEASURE" ? "pick measure" : "pick"} type="button" aria-pressed={picked.has(f.name)} title={[f.name, f.description].filter(Boolean).join("\n")} data-field={f.name} onClick={() => onToggle(f)}>
            <span class="mark">{picked.has(f.name) && <Icon name="check" />}</span>
            <span class="grow">{f.caption}</span>
            <span class="muted type">{f.unit ?? short(f.dataType)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
  if (group.kind !== "dimension") {
    return (
      <div class="field-plain">
        <h3>{group.caption}</h3>
        {list}
      </div>
    )
  }
  return (
    <details open={open}>
      <summary>
        <Icon name="right" />
        <span class="grow">{group.caption}</span>
        <span class="muted">{group.fields.length}</span>
      </summary>
      {list}
    </details>
  )
}

function short(dataType: string): string {
  const sign = { string: "abc", integer: "123", bigint: "123", decimal: "1.2", double: "1.2", money: "1.00", percent: "%", boolean: "✓✗" }[dataType]
  return sign ?? maybe(`type.${dataType}`) ?? dataType
}
