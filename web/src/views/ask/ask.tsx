import type { RefObject } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { Title } from "../../frame/focus"
import { searchEvent, useKey } from "../../frame/keys"
import { Icon } from "../../parts/icon"
import type { Params } from "../../query/address"
import { go, route } from "../../route"
import { identity } from "../../server/connection"
import { describe, listModels } from "../../server/models"
import { useTask } from "../../task"
import { t } from "../../words"
import { TurnCard } from "./turncard"

interface Asked {
  question: string
  pick: number | undefined // which reading was chosen where it was asked back
}

/** readConversation finds the questions in an address: q, and pick behind the question that it belongs to. */
function readConversation(params: Params): Asked[] {
  const all: Asked[] = []
  for (const [name, value] of params) {
    const last = all[all.length - 1]
    if (name === "q" && value.trim()) all.push({ question: value, pick: undefined })
    else if (name === "pick" && last && /^\d$/.test(value)) last.pick = Number(value)
  }
  return all
}

function writeConversation(all: Asked[]): Params {
  return all.flatMap(({ question, pick }) => [["q", question] as [string, string], ...(pick === undefined ? [] : [["pick", String(pick)] as [string, string]])])
}

/** Questions in plain words. The address holds the conversation, so that a link asks it again. */
export function AskView() {
  const all = readConversation(route.value.params)
  const end = useRef<HTMLDivElement>(null)
  useFollow(end, all.length)
  const ask = (question: string) => go({ view: "ask", params: writeConversation([...all, { question, pick: undefined }]) })
  return (
    <div class={all.length === 0 ? "ask ask-first" : "ask"}>
      {all.length === 0 ? (
        <header class="ask-head">
          <Title>{t("ask.title")}</Title>
          <p class="soft">{t("ask.lead")}</p>
        </header>
      ) : (
        <div class="row">
          <Title>{t("view.ask")}</Title>
          <button class="button small" type="button" onClick={() => go({ view: "ask" })}>
            <Icon name="plus" />
            {t("ask.new")}
          </button>
        </div>
      )}
      {all.map((a, i) => (
        <div key={i} ref={i === all.length - 1 ? end : undefined} class="ask-turn">
          <TurnCard questions={all.slice(0, i + 1).map((b) => b.question)} pick={a.pick} onAsk={ask} onPick={(pick) => go({ view: "ask", params: writeConversation([...all.slice(0, i), { ...a, pick }]) })} />
        </div>
      ))}
      <AskBox first={all.length === 0} onAsk={ask} />
      {all.length === 0 && <Suggestions onAsk={ask} />}
    </div>
  )
}

/** useFollow keeps a new turn in sight while its answer grows, until the reader moves. */
function useFollow(end: RefObject<HTMLDivElement | null>, turns: number): void {
  const last = useRef(turns)
  useEffect(() => {
    const more = turns > last.current
    last.current = turns
    const turn = end.current
    if (!more || !turn) return
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth"
    const watch = new ResizeObserver(() => turn.scrollIntoView({ block: "start", behavior }))
    watch.observe(turn)
    const stop = () => watch.disconnect()
    const moves = ["wheel", "touchmove", "keydown", "pointerdown"]
    for (const move of moves) addEventListener(move, stop, { once: true, passive: true })
    return () => {
      stop()
      for (const move of moves) removeEventListener(move, stop)
    }
  }, [turns])
}

function AskBox({ first, onAsk }: { first: boolean; onAsk: (question: string) => void }) {
  const [text, setText] = useState("")
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (matchMedia("(hover: hover)").matches) box.current?.focus({ preventScroll: true }) // a phone would open its keyboard
  }, [first])
  useKey(searchEvent, () => box.current?.focus())
  return (
    <form
      class="ask-box card"
      role="search"
      onSubmit={(e) => {
        e.preventDefault()
        if (!text.trim()) return
        onAsk(text.trim())
        setText("")
      }}
    >
      <Icon name="chat" />
      <input ref={box} type="text" value={text} maxLength={2000} autocomplete="off" aria-label={t("ask.box")} placeholder={first ? t("ask.placeholder") : t("ask.follow")} onInput={(e) => setText(e.currentTarget.value)} />
      <button class="button main" type="submit">
        {t("ask.send")}
      </button>
    </form>
  )
}

const askedModels = 4

/** Questions that the models themselves bring. */
function Suggestions({ onAsk }: { onAsk: (question: string) => void }) {
  const task = useTask(identity.value, async () => {
    const { models } = await listModels()
    const facts = models.filter((m) => m.measures > 0).sort((a, b) => b.measures + b.dimensions - a.measures - a.dimensions)
    const described = await Promise.all(facts.slice(0, askedModels).map((m) => describe(m.name)))
    return described.flatMap((m) => m.examples.slice(0, 2).map((e) => e.question))
  })
  if (!task.data || task.data.length === 0) return null
  return (
    <section class="ask-suggestions" aria-label={t("ask.try")}>
      <h2 class="muted">{t("ask.try")}</h2>
      <div class="example-list">
        {task.data.slice(0, 6).map((q) => (
          <button key={q} class="suggestion" type="button" onClick={() => onAsk(q)}>
            <Icon name="auto" />
            <span class="grow">{q}</span>
          </button>
        ))}
      </div>
    </section>
  )
}
