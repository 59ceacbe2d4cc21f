import { useEffect, useState } from "preact/hooks"
import { Title } from "../../frame/focus"
import { runEvent, useKey } from "../../frame/keys"
import { Empty, Waiting } from "../../parts/empty"
import { Icon } from "../../parts/icon"
import { FailureNotice } from "../../parts/notice"
import { Unread } from "../../parts/unread"
import { readPayload, wholeOf, writePayload } from "../../query/address"
import { mendedBy } from "../../query/patch"
import type { Payload } from "../../query/payload"
import { addressOf, go, route } from "../../route"
import { callTool } from "../../server/call"
import { identity } from "../../server/connection"
import { parseUnique, write } from "../../server/exact"
import { Failure, type Mistake } from "../../server/failure"
import { listModels } from "../../server/models"
import { useTask } from "../../task"
import { t } from "../../words"
import { Explanation, type Explained } from "./explanation"

/** How a query is answered. Admins see statements and plans; others see what the query means. */
export function InspectView() {
  const name = route.value.model
  const read = readPayload(route.value.params)
  const payload = wholeOf(read)
  const has = name !== "" && Object.keys(payload).length > 0
  const task = useTask(has ? identity.value + name + write(payload) : undefined, (signal) => explain(name, payload, signal))
  useKey(runEvent, task.again)
  const [unfit, setUnfit] = useState<Mistake>()
  const mend = (mistake: Mistake) => {
    const mended = mendedBy(mistake, name, payload)
    if (!mended) setUnfit(mistake)
    else go({ view: "inspect", model: mended.model, params: writePayload(mended.payload) })
  }
  return (
    <div class="content inspect">
      <div class="page-head">
        <Title>{t("inspect.title")}</Title>
        <p class="soft">{t("inspect.lead")}</p>
      </div>
      <Editor name={name} payload={payload} />
      <Unread parts={read.unread} onDrop={() => go({ view: "inspect", model: name, params: writePayload(payload) })} />
      {task.failure && <FailureNotice failure={task.failure} onRetry={task.again} {...(unfit && task.failure.mistake === unfit ? { unfit: true } : { onMend: mend })} />}
      {!has && <Empty icon="gauge" title={t("inspect.empty")} />}
      {has && !task.data && task.slow && <Waiting lines={6} height={24} />}
      {task.data && !task.failure && <Explanation {...task.data} />}
    </div>
  )
}

/** explain asks as an admin, and where the caller is none, as an analyst. */
async function explain(model: string, payload: Payload, signal: AbortSignal): Promise<{ explained: Explained; took: number; admin: boolean }> {
  const begun = performance.now()
  const run = (role: "admin" | "analyst") => callTool<Explained>(role, "dataset.explain_query", { model, payload }, signal)
  try {
    return { explained: await run("admin"), took: performance.now() - begun, admin: true }
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== "forbidden" || error.mistake) throw error
    return { explained: await run("analyst"), took: performance.now() - begun, admin: false }
  }
}

function Editor({ name, payload }: { name: string; payload: Payload }) {
  const list = useTask(identity.value, listModels)
  const [model, setModel] = useState(name)
  const [text, setText] = useState("")
  const [wrong, setWrong] = useState("")
  const written = write(payload)
  useEffect(() => {
    setModel(name)
    setText(written === "{}" ? "" : write(payload, 2))
  }, [name, written])
  const run = () => {
    try {
      const read = parseUnique(text || "{}")
      if (typeof read !== "object" || read === null || Array.isArray(read)) throw new Error(text.slice(0, 40))
      setWrong("")
      go({ view: "inspect", model: model || (list.data?.models[0]?.name ?? ""), params: writePayload(read as Payload) })
    } catch (error) {
      setWrong(t("inspect.invalid", error instanceof Error ? error.message : String(error)))
    }
  }
  return (
    <form
      class="card editor"
      onSubmit={(e) => {
        e.preventDefault()
        run()
      }}
    >
      <div class="row">
        <select class="grow" aria-label={t("explore.model")} value={model} onChange={(e) => setModel(e.currentTarget.value)}>
          {(list.data?.models ?? (name ? [{ name, caption: name }] : [])).map((m) => (
            <option key={m.name} value={m.name}>
              {m.caption} · {m.name}
            </option>
          ))}
        </select>
        {name && (
          <a class="button" href={addressOf({ view: "explore", model: name, params: writePayload(payload) })}>
            <Icon name="explore" />
            {t("ask.explore")}
          </a>
        )}
        <button class="button main" type="submit">
          <Icon name="play" />
          {t("inspect.run")}
        </button>
      </div>
      <textarea
        class="code"
        rows={Math.min(16, Math.max(5, text.split("\n").length))}
        spellcheck={false}
        aria-label={t("inspect.payload")}
        placeholder={'{"columns": ["…"]}'}
        value={text}
        onInput={(e) => setText(e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) {
            e.preventDefault()
            e.stopPropagation()
            run()
          }
        }}
      />
      {wrong && <p class="wrong" role="alert">{wrong}</p>}
    </form>
  )
}
