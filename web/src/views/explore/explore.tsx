import { useState } from "preact/hooks"
import { Title } from "../../frame/focus"
import { runEvent, useKey } from "../../frame/keys"
import { Empty, Waiting } from "../../parts/empty"
import { Icon } from "../../parts/icon"
import { FailureNotice, Note } from "../../parts/notice"
import { Unread } from "../../parts/unread"
import { readPayload, wholeOf, writePayload } from "../../query/address"
import { ask, type Answer } from "../../query/answer"
import { sortBy, toggle } from "../../query/edit"
import { mendedBy } from "../../query/patch"
import { tidy, type Payload } from "../../query/payload"
import { choices, Result, type Choice } from "../../result/result"
import { addressOf, go, param, route } from "../../route"
import { identity } from "../../server/connection"
import { write } from "../../server/exact"
import type { Mistake } from "../../server/failure"
import { describe, listModels, type Model } from "../../server/models"
import { useTask } from "../../task"
import { listed, t } from "../../words"
import { conditionText } from "./condition"
import { QueryBar } from "./querybar"
import { Rail } from "./rail"

/** A query clicked together. The address holds all of it, so that a link is a saved query. */
export function ExploreView() {
  const name = route.value.model
  const read = readPayload(route.value.params)
  const { payload, odd, unread } = read
  const wanted = param("chart") ?? "auto"
  const choice = choices.find((c) => c === wanted) ?? "auto"
  const list = useTask(identity.value, listModels)
  const described = useTask(name ? identity.value + name : undefined, () => describe(name))
  const model = described.data?.model === name ? described.data : undefined
  const lead = (whole: Payload, chart: Choice = choice, rest = unread) => go({ view: "explore", model: name, params: [...writePayload(whole), ...rest, ...(chart === "auto" ? [] : [["chart", chart] as [string, string]])] })
  const change = (p: Payload, chart: Choice = choice) => lead({ ...p, ...odd }, chart)
  return (
    <div class="split">
      <Rail models={list.data?.models ?? []} model={model} payload={payload} onModel={(m) => go({ view: "explore", model: m })} onToggle={(f) => model && change(toggle(payload, model, f))} />
      <div class="content explore">
        {list.failure && !described.failure ? <FailureNotice failure={list.failure} onRetry={list.again} /> : null}
        {described.failure ? <FailureNotice failure={described.failure} onRetry={described.again} /> : null}
        {!model && <Title hidden>{t("view.explore")}</Title>}
        {!name && list.data && <ChooseModel models={list.data.models} />}
        {name && !model && described.slow && <Waiting lines={5} height={30} />}
        {model && !described.failure && (
          <>
            <div class="row explore-head">
              <Title>{model.caption}</Title>
              {Object.keys(payload).length > 0 && (
                <>
                  <a class="button bare small" href={addressOf({ view: "explore", model: name })}>
                    {t("explore.clear")}
                  </a>
                  <button class="button small" type="button" title="Ctrl Enter" onClick={() => dispatchEvent(new Event(runEvent))}>
                    <Icon name="play" />
                    {t("explore.run")}
                  </button>
                </>
              )}
            </div>
            <QueryBar model={model} payload={payload} odd={odd} onChange={change} onDrop={(clause) => lead({ ...payload, ...without(odd, clause) })} />
            {choice !== wanted && <Note>{t("chart.unknown", wanted)}</Note>}
            <Unread parts={unread} onDrop={() => lead(wholeOf(read), choice, [])} />
            <Outcome model={model} payload={payload} whole={wholeOf(read)} choice={choice} onChange={change} onMend={lead} />
          </>
        )}
      </div>
    </div>
  )
}

function without(odd: Record<string, unknown>, clause: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(odd).filter(([name]) => name !== clause))
}

function ChooseModel({ models }: { models: { name: string; caption: string; measures: number }[] }) {
  return (
    <Empty icon="explore" title={t("explore.chooseTitle")}>
      <div class="suggestions">
        {models
          .filter((m) => m.measures > 0)
          .map((m) => (
            <a key={m.name} class="suggestion" href={addressOf({ view: "explore", model: m.name })}>
              <span class="grow">{m.caption}</span>
              <Icon name="right" />
            </a>
          ))}
      </div>
    </Empty>
  )
}

interface OutcomeProps {
  model: Model
  payload: Payload
  whole: Payload // with what only the server can judge
  choice: Choice
  onChange: (p: Payload, choice?: Choice) => void
  onMend: (whole: Payload) => void
}

interface Timed {
  answer: Answer
  took: number
  payload: Payload
  model: string
}

function Outcome({ model, payload, whole, choice, onChange, onMend }: OutcomeProps) {
  const asks = (payload.columns ?? payload.groupBy ?? []).length > 0 || Object.keys(whole).length > Object.keys(payload).length
  const task = useTask<Timed>(asks ? identity.value + model.model + write(whole) : undefined, async (signal) => {
    const begun = performance.now()
    const answer = await ask(model.model, whole, signal)
    return { answer, took: performance.now() - begun, payload: whole, model: model.model }
  })
  useKey(runEvent, task.again)
  const [unfit, setUnfit] = useState<Mistake>()
  const mend = (mistake: Mistake) => {
    const mended = mendedBy(mistake, model.model, whole)
    if (!mended) setUnfit(mistake)
    else if (mended.model !== model.model) go({ view: "explore", model: mended.model, params: writePayload(mended.payload) })
    else onMend(mended.payload)
  }
  if (!asks) return <Begin model={model} />
  const current = task.data !== undefined && write(task.data.payload) === write(whole) // not the answer before
  const fits = task.data?.model === model.model && (!task.cancelled || current)
  const shown = fits ? task.data : undefined
  return (
    <div class={task.slow ? "outcome stale" : "outcome"} aria-busy={task.running}>
      {task.slow && (
        <div class="card running">
          <div class="bar" />
          <span class="grow">{t("explore.running")}</span>
          <button class="button small" type="button" onClick={task.cancel}>
            {t("frame.cancel")}
          </button>
        </div>
      )}
      {task.cancelled && <Cancelled onRun={task.again} />}
      {task.failure && !task.cancelled && <FailureNotice failure={task.failure} onRetry={task.again} {...(unfit && task.failure.mistake === unfit ? { unfit: true } : { onMend: mend })} />}
      {!shown && task.slow && <div class="waiting first-wait" />}
      {shown && !task.failure && (
        <>
          <Notes answer={shown.answer} />
          {shown.answer.total === 0 ? (
            <NoRows model={model} payload={payload} onChange={onChange} />
          ) : (
            <Result model={model} name={model.model} payload={shown.payload} answer={shown.answer} choice={choice} onChoice={(c) => onChange(payload, c)} onSort={(key, order) => current && onChange(sortBy(payload, key, order))} took={shown.took} />
          )}
        </>
      )}
    </div>
  )
}

function Cancelled({ onRun }: { onRun: () => void }) {
  return (
    <div class="card running" role="status" data-cancelled>
      <span class="grow">{t("explore.cancelled")}</span>
      <button class="button small" type="button" onClick={onRun}>
        <Icon name="play" />
        {t("explore.run")}
      </button>
    </div>
  )
}

function Begin({ model }: { model: Model }) {
  return (
    <Empty icon="sliders" title={t("explore.emptyTitle")}>
      <p>{t("explore.emptyHint")}</p>
      <div class="suggestions">
        {model.examples.map((e) => (
          <a key={e.question} class="suggestion" href={addressOf({ view: "explore", model: model.model, params: writePayload(e.payload) })}>
            <Icon name="auto" />
            <span class="grow">{e.question}</span>
            <Icon name="right" />
          </a>
        ))}
      </div>
    </Empty>
  )
}

/** What the server says beside the rows: warnings, and what the caller's rights did. */
function Notes({ answer }: { answer: Answer }) {
  const access = answer.applied?.access
  const warnings = answer.total === 0 ? [] : answer.warnings ?? []
  return (
    <>
      {warnings.length > 0 && (
        <Note>
          {warnings.map((w) => (
            <p key={w}>{w}</p>
          ))}
        </Note>
      )}
      {access && (
        <p class="muted access-note">
          <Icon name="lock" /> {[access.rowsLimited && t("explore.limited"), access.masked && access.masked.length > 0 && t("explore.maskedFields", listed(access.masked))].filter(Boolean).join(" · ")}
        </p>
      )}
      {answer.total === 0 && (answer.warnings ?? []).length > 0 && (
        <Note>
          {answer.warnings?.map((w) => (
            <p key={w}>{w}</p>
          ))}
        </Note>
      )}
    </>
  )
}

/** Nothing was found: each condition that the query has now can be taken away by a click. */
function NoRows({ model, payload, onChange }: { model: Model; payload: Payload; onChange: (p: Payload) => void }) {
  const all = (["slice", "having"] as const).flatMap((clause) => (payload[clause] ?? []).map((condition, at) => ({ clause, at, condition })))
  return (
    <div class="card">
      <Empty icon="filter" title={t("explore.noRows")}>
        <p>{t(all.length > 0 ? "explore.noRowsHint" : "explore.noRowsAtAll")}</p>
        <div class="row">
          {all.map(({ clause, at, condition }) => (
            <button key={clause + at} class="button small" type="button" onClick={() => onChange(tidy({ ...payload, [clause]: (payload[clause] ?? []).filter((_, n) => n !== at) }))}>
              {t("explore.dropFilter", conditionText(condition, model))}
            </button>
          ))}
        </div>
      </Empty>
    </div>
  )
}
