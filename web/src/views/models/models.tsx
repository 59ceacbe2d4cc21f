import { useRef, useState } from "preact/hooks"
import { Title } from "../../frame/focus"
import { searchEvent, useKey } from "../../frame/keys"
import { count } from "../../format"
import { Empty, Waiting } from "../../parts/empty"
import { Icon } from "../../parts/icon"
import { matches } from "../../parts/listbox"
import { FailureNotice } from "../../parts/notice"
import { addressOf, route } from "../../route"
import { identity } from "../../server/connection"
import { listModels, type ModelCard, type TimeRange } from "../../server/models"
import { useTask } from "../../task"
import { t } from "../../words"
import { ModelDetail } from "./detail"

/** What models there are, and what is in one of them. */
export function ModelsView() {
  const task = useTask(identity.value, listModels)
  const [search, setSearch] = useState("")
  const box = useRef<HTMLInputElement>(null)
  useKey(searchEvent, () => box.current?.focus())
  const models = task.data?.models ?? []
  const shown = models.filter((m) => matches(search, m.caption, m.name, m.description))
  const chosen = route.value.model
  return (
    <div class="split">
      <aside class="rail" aria-label={t("models.title")}>
        <div class="search">
          <Icon name="search" />
          <input ref={box} type="search" value={search} placeholder={t("models.search")} aria-label={t("models.search")} onInput={(e) => setSearch(e.currentTarget.value)} onKeyDown={intoList} />
        </div>
        <nav class="rail-scroll model-list" aria-label={t("models.title")} onKeyDown={alongList}>
          {!task.data && task.slow && <Waiting lines={8} height={40} />}
          {task.data && models.length > 0 && shown.length === 0 && <p class="muted">{t("models.none", search)}</p>}
          {!task.failure && shown.map((m) => <Card key={m.name} model={m} current={m.name === chosen} />)}
        </nav>
      </aside>
      <div class="content">
        {task.failure ? (
          <FailureNotice failure={task.failure} onRetry={task.again} />
        ) : task.data && models.length === 0 ? (
          <Empty icon="table" title={t("models.empty")}>
            <p>{t("models.emptyHint")}</p>
          </Empty>
        ) : chosen ? (
          <ModelDetail key={chosen} name={chosen} />
        ) : (
          task.data && <Overview models={shown} />
        )}
      </div>
    </div>
  )
}

function intoList(e: KeyboardEvent): void {
  if (e.key !== "ArrowDown" && e.key !== "Enter") return
  const first = document.querySelector<HTMLAnchorElement>(".model-list a")
  if (!first) return
  e.preventDefault()
  if (e.key === "Enter") first.click()
  else first.focus()
}

function alongList(e: KeyboardEvent): void {
  if (e.key !== "ArrowDown" && e.key !== "ArrowUp") return
  const links = [...document.querySelectorAll<HTMLAnchorElement>(".model-list a")]
  const at = links.indexOf(document.activeElement as HTMLAnchorElement)
  const next = links[at + (e.key === "ArrowDown" ? 1 : -1)]
  e.preventDefault()
  next?.focus()
}

function Card({ model, current }: { model: ModelCard; current: boolean }) {
  return (
    <a class="model-link" href={addressOf({ view: "models", model: model.name })} aria-current={current ? "true" : undefined}>
      <span class="model-caption">{model.caption}</span>
      <span class="muted">{countsOf(model)}</span>
    </a>
  )
}

/** countsOf says how much is in a model; what is not there is not counted. */
function countsOf({ measures, dimensions }: ModelCard): string {
  if (measures === 0) return t("models.lookup")
  return [t("models.countMeasures", count(measures)), dimensions > 0 && t("models.countDimensions", count(dimensions))].filter(Boolean).join(" · ")
}

function yearsOf({ from, to }: TimeRange): string {
  const [first, last] = [from.slice(0, 4), to.slice(0, 4)]
  return first === last ? first : `${first}–${last}`
}

function Overview({ models }: { models: ModelCard[] }) {
  return (
    <>
      <div class="page-head">
        <Title>{t("models.title")}</Title>
        <p class="soft">{t("models.pick")}</p>
      </div>
      <div class="model-cards">
        {models.map((m) => (
          <a key={m.name} class="card model-card" href={addressOf({ view: "models", model: m.name })}>
            <h2>{m.caption}</h2>
            <p class="soft">{m.description}</p>
            <p class="muted">
              {countsOf(m)}
              {m.timeRange && ` · ${yearsOf(m.timeRange)}`}
            </p>
          </a>
        ))}
      </div>
    </>
  )
}
