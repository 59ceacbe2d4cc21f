import { useMemo, useState } from "preact/hooks"
import { Waiting } from "../../parts/empty"
import { CopyButton } from "../../parts/copy"
import { Icon } from "../../parts/icon"
import { FailureNotice } from "../../parts/notice"
import { writePayload } from "../../query/address"
import { ask } from "../../query/answer"
import type { Payload } from "../../query/payload"
import { Result, type Choice } from "../../result/result"
import { addressOf } from "../../route"
import { identity } from "../../server/connection"
import { write } from "../../server/exact"
import { describe, type Model } from "../../server/models"
import { payloadText } from "../../takeaway/texts"
import { useTask } from "../../task"
import { t } from "../../words"
import { namedAs } from "./named"
import { answerOf, askTurn, forget, type Reading, type Reply } from "./turn"

interface Props {
  questions: string[]
  pick: number | undefined
  onAsk: (question: string) => void
  onPick: (pick: number) => void
}

/** One question and what became of it. */
export function TurnCard({ questions, pick, onPick }: Props) {
  const task = useTask(identity.value + JSON.stringify(questions), () => askTurn(questions))
  const again = () => {
    forget()
    task.again()
  }
  const turn = task.data
  const readings = turn ? turn.reply.choices ?? turn.reply.alternatives ?? [] : []
  const chosen = pick === undefined ? undefined : readings[pick]
  return (
    <article class="turn" aria-busy={task.running}>
      <p class="turn-question">{questions[questions.length - 1]}</p>
      {task.failure && <FailureNotice failure={task.failure} onRetry={again} />}
      {!turn && task.slow && (
        <div class="card pad">
          <p class="muted" role="status">{t("ask.thinking")}</p>
          <Waiting lines={3} />
        </div>
      )}
      {turn && !task.failure && (
        <>
          {chosen ? <Understood text={chosen.text} model={chosen.model} payload={chosen.payload} /> : <Said reply={turn.reply} model={turn.model} />}
          {chosen ? <Chosen reading={chosen} /> : turn.reply.type === "result" && <Answered reply={turn.reply} model={turn.model} />}
          <Readings title={t(turn.reply.choices ? "ask.choices" : "ask.alternatives")} readings={readings} chosen={pick} onPick={onPick} />
        </>
      )}
    </article>
  )
}

function Said({ reply, model }: { reply: Reply; model: Model | undefined }) {
  if (reply.type === "result") return <Understood text={reply.understood ?? ""} summary={reply.summary} model={reply.model ?? ""} caption={model?.caption} payload={reply.payload ?? {}} confidence={reply.confidence} />
  return (
    <div class="card said" data-reply={reply.type}>
      <Icon name={reply.type === "clarify" ? "chat" : "alert"} />
      <div>
        <h2>{t(reply.type === "clarify" ? "ask.clarify" : "ask.declined")}</h2>
        <p>{reply.message}</p>
      </div>
    </div>
  )
}

interface UnderstoodProps {
  text: string
  summary?: string | undefined
  model: string
  caption?: string | undefined
  payload: Payload
  confidence?: number | string | undefined
}

/** What was understood, in one sentence, with the query that it became. */
function Understood({ text, summary, model, payload, confidence }: UnderstoodProps) {
  const [open, setOpen] = useState(false)
  const sure = confidenceWord(confidence)
  return (
    <div class="card understood">
      <div class="row">
        <Icon name="check" />
        <p class="grow">
          <span class="muted">{t("ask.understood")} </span>
          <strong>{text}</strong>
        </p>
        {sure && <span class={sure === "sure" ? "tag key" : "tag warn"}>{t("ask.confidence", t(`ask.${sure}`))}</span>}
      </div>
      {summary && <p class="summary">{summary}</p>}
      <div class="row">
        <a class="button small" href={addressOf({ view: "explore", model, params: writePayload(payload) })}>
          <Icon name="explore" />
          {t("ask.explore")}
        </a>
        <button class="button small bare" type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t("ask.query")}
        </button>
      </div>
      {open && (
        <div class="take-text">
          <pre tabIndex={0} aria-label={t("ask.query")}>
            {model + "\n" + payloadText(payload)}
          </pre>
          <CopyButton text={payloadText(payload)} label={t("take.payload")} />
        </div>
      )}
    </div>
  )
}

function confidenceWord(confidence: number | string | undefined): "sure" | "likely" | "unsure" | undefined {
  if (confidence === undefined) return undefined
  if (typeof confidence === "string") return confidence === "high" ? "sure" : confidence === "medium" ? "likely" : "unsure"
  return confidence >= 0.85 ? "sure" : confidence >= 0.6 ? "likely" : "unsure"
}

function Answered({ reply, model }: { reply: Reply; model: Model | undefined }) {
  const [choice, setChoice] = useState<Choice>("auto")
  const answer = useMemo(() => answerOf(reply, model), [reply, model])
  if (answer.rows.length === 0) return <p class="card pad muted">{t("explore.noRows")}</p>
  return <Result model={model} name={reply.model ?? ""} payload={reply.payload ?? {}} answer={answer} choice={choice} onChoice={setChoice} tableHeight={320} />
}

/** A reading that was picked, run as the query that it is. */
function Chosen({ reading }: { reading: Reading }) {
  const [choice, setChoice] = useState<Choice>("auto")
  const task = useTask(identity.value + write(reading), async (signal) => {
    const [answer, model] = await Promise.all([ask(reading.model, reading.payload, signal), describe(reading.model)])
    return { answer, model: namedAs(reading.text, model) }
  })
  if (task.failure) return <FailureNotice failure={task.failure} onRetry={task.again} />
  if (!task.data) return task.slow ? <Waiting lines={4} /> : null
  return <Result model={task.data.model} name={reading.model} payload={reading.payload} answer={task.data.answer} choice={choice} onChoice={setChoice} tableHeight={320} />
}

interface ReadingsProps {
  title: string
  readings: Reading[]
  chosen: number | undefined
  onPick: (pick: number) => void
}

function Readings({ title, readings, chosen, onPick }: ReadingsProps) {
  if (readings.length === 0) return null
  return (
    <div class="readings">
      <h3>{title}</h3>
      <div class="suggestions">
        {readings.slice(0, 5).map((r, i) => (
          <button key={i} class="suggestion" type="button" aria-pressed={chosen === i} onClick={() => onPick(i)}>
            <Icon name={chosen === i ? "check" : "right"} />
            <span class="grow">{r.text}</span>
          </button>
        ))}
      </div>
    </div>
  )
}
