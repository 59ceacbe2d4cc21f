import { useState } from "preact/hooks"
import { isolate } from "../../bidi"
import { Title } from "../../frame/focus"
import { Icon } from "../../parts/icon"
import { FailureNotice } from "../../parts/notice"
import { Waiting } from "../../parts/empty"
import { writePayload } from "../../query/address"
import { fieldGroups, type FieldGroup } from "../../query/groups"
import { formatCell, formatDate } from "../../format"
import { addressOf } from "../../route"
import { identity } from "../../server/connection"
import { describe, type Code, type Field, type Model } from "../../server/models"
import { useTask } from "../../task"
import { listed, maybe, t } from "../../words"
import { JoinGraph } from "./graph"

/** One model: what it is about, what it is joined with, and every field. */
export function ModelDetail({ name }: { name: string }) {
  const task = useTask(identity.value + name, () => describe(name))
  if (task.failure) return <FailureNotice failure={task.failure} onRetry={task.again} />
  const model = task.data
  if (!model || model.model !== name) return task.slow ? <Waiting lines={8} height={22} /> : null
  return (
    <>
      <div class="page-head">
        <div class="row">
          <Title>{model.caption}</Title>
          <a class="button main" href={addressOf({ view: "explore", model: name })}>
            <Icon name="explore" />
            {t("models.explore", model.caption)}
          </a>
        </div>
        <p class="soft lead">{model.description}</p>
        <div class="row facts">
          <code class="muted">{model.model}</code>
          {model.timeRange && (
            <span class="tag">
              <Icon name="clock" /> {t("models.coverage", formatDate(model.timeRange.from), formatDate(model.timeRange.to))}
            </span>
          )}
        </div>
      </div>
      {model.examples.length > 0 && (
        <section>
          <h2 class="section">{t("models.examples")}</h2>
          <div class="example-list">
            {model.examples.map((e) => (
              <a key={e.question} class="suggestion" href={addressOf({ view: "explore", model: name, params: writePayload(e.payload) })}>
                <Icon name="auto" />
                <span class="grow">{e.question}</span>
                <Icon name="right" />
              </a>
            ))}
          </div>
        </section>
      )}
      {model.fields.some((f) => f.kind === "DIMENSION") && (
        <section class="card">
          <header>
            <h2 class="grow">{t("models.joins")}</h2>
          </header>
          <JoinGraph model={model} />
        </section>
      )}
      <Fields model={model} />
    </>
  )
}

function Fields({ model }: { model: Model }) {
  const [search, setSearch] = useState("")
  const groups = fieldGroups(model, search)
  return (
    <section class="card">
      <header>
        <h2 class="grow">
          {t("models.fields")} <span class="muted">{model.fields.length}</span>
        </h2>
        <div class="search field-search">
          <Icon name="search" />
          <input type="search" value={search} aria-label={t("models.searchFields")} placeholder={t("models.searchFields")} onInput={(e) => setSearch(e.currentTarget.value)} />
        </div>
      </header>
      {groups.length === 0 && <p class="muted pad">{t("models.noField", search)}</p>}
      {groups.map((g) => (
        <Group key={g.kind + g.name} group={g} model={model} />
      ))}
    </section>
  )
}

function Group({ group, model }: { group: FieldGroup; model: Model }) {
  return (
    <div class="field-group" data-group={group.name || group.kind}>
      <h3>
        {group.caption} <span class="muted">{group.fields.length}</span>
      </h3>
      <ul>
        {group.fields.map((f) => (
          <FieldLine key={f.name} field={f} model={model} />
        ))}
      </ul>
    </div>
  )
}

function FieldLine({ field, model }: { field: Field; model: Model }) {
  const codes = field.dictionary ? model.dictionaries[field.dictionary] : undefined
  const samples = model.sampleValues[field.name]
  return (
    <li class="field-line" data-field={field.name}>
      <div class="field-name">
        <span>{field.caption}</span>
        <code class="muted">{field.name}</code>
      </div>
      <div class="field-type">
        <span class={field.kind === "MEASURE" ? "tag measure" : "tag"}>{typeText(field)}</span>
        {field.unit && <span class="tag">{field.unit}</span>}
        {field.masked && <span class="tag warn">{t("models.masked")}</span>}
      </div>
      <div class="field-meaning">
        {field.description && <span>{field.description}</span>}
        {field.synonyms && field.synonyms.length > 0 && <span class="muted">{t("models.also", listed(field.synonyms.slice(0, 4)))}</span>}
        {samples && <span class="muted">{t("models.eg", listed(samples.slice(0, 3).map((v) => formatCell(v, { dataType: field.dataType, measure: false }))))}</span>}
        {codes && <Codes codes={codes} />}
      </div>
    </li>
  )
}

/** typeText names a field's aggregation and type. */
function typeText(f: Field): string {
  const aggregation = f.aggregation && (maybe(`agg.${f.aggregation}`) ?? f.aggregation)
  return [aggregation, maybe(`type.${f.dataType}`) ?? f.dataType].filter(Boolean).join(" · ")
}

function Codes({ codes }: { codes: Code[] }) {
  return (
    <details class="codes">
      <summary>{t("models.codes", codes.length)}</summary>
      <ul>
        {codes.map((c) => (
          <li key={String(c.code)}>
            <code>{String(c.code)}</code> {isolate(c.label ?? "")} <span class="muted">{listed(c.synonyms?.slice(0, 3) ?? [])}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
