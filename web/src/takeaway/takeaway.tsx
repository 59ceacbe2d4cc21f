import { useRef, useState } from "preact/hooks"
import { pngOf, svgText } from "../chart/save"
import { count } from "../format"
import { CopyButton } from "../parts/copy"
import { Icon } from "../parts/icon"
import { Popover } from "../parts/popover"
import { failureText } from "../parts/reasons"
import { shownWindow, type Answer } from "../query/answer"
import { Changed, largestPage } from "../query/pages"
import type { Payload } from "../query/payload"
import type { Rows } from "../query/rows"
import { token } from "../server/connection"
import { aborted, ofUnknown } from "../server/failure"
import { t } from "../words"
import { build, save, type FileKind, type Job } from "./files"
import { curlText, inParts, payloadText, toolText } from "./texts"

interface Props {
  model: string
  caption: string
  payload: Payload
  answer: Answer
  rows: Rows
  chart: () => HTMLElement | null
}

/** The button with everything that can be taken away. */
export function TakeAway(props: Props) {
  const [open, setOpen] = useState(false)
  return (
    <span class="anchor">
      <button class="button small" type="button" aria-haspopup="dialog" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="save" />
        {t("take.title")}
      </button>
      {open && (
        <Popover label={t("take.title")} right onClose={() => setOpen(false)}>
          <Panel {...props} />
        </Popover>
      )}
    </span>
  )
}

function Panel({ model, caption, payload, answer, rows, chart }: Props) {
  const what = { window: shownWindow(payload, answer), total: answer.total }
  const texts: [string, string][] = [
    [t("take.payload"), payloadText(payload)],
    [t("take.curl"), curlText(model, payload, what)],
    [t("take.tool"), toolText(model, payload, what)],
    [t("take.link"), location.href],
  ]
  const [shown, show] = useState(0)
  const [trouble, setTrouble] = useState("")
  const place = chart()
  const drawn = place?.querySelector("svg") != null
  const saveChart = async (kind: "svg" | "png") => {
    const svg = place && svgText(place, caption)
    setTrouble("")
    try {
      if (svg) save(kind === "svg" ? new Blob([svg], { type: "image/svg+xml" }) : await pngOf(svg), `${model}.${kind}`)
    } catch {
      setTrouble(t("take.noImage"))
    }
  }
  return (
    <div class="stack take-away">
      <div class="segments" role="group" aria-label={t("take.copy")}>
        {texts.map(([name], i) => (
          <button key={name} type="button" aria-pressed={shown === i} onClick={() => show(i)}>
            {name}
          </button>
        ))}
      </div>
      <div class="take-text">
        <pre tabIndex={0} aria-label={texts[shown]?.[0]}>
          {texts[shown]?.[1]}
        </pre>
        <CopyButton text={texts[shown]?.[1] ?? ""} label={texts[shown]?.[0] ?? ""} />
      </div>
      {inParts(what) && texts[shown]?.[0] === t("take.tool") && <p class="muted">{t("take.inParts", count(rows.groups), count(largestPage()))}</p>}
      {token.value && <p class="muted">{t("take.tokenLeftOut")}</p>}
      <h3>{t("take.files")}</h3>
      <Download model={model} payload={payload} answer={answer} rows={rows.groups} />
      {drawn && (
        <div class="row">
          <button class="button small" type="button" onClick={() => void saveChart("svg")}>
            {t("take.svg")}
          </button>
          <button class="button small" type="button" onClick={() => void saveChart("png")}>
            {t("take.png")}
          </button>
          {trouble && (
            <span class="wrong" role="alert">
              {trouble}
            </span>
          )}
        </div>
      )}
    </div>
  )
}

/** The files of a result, with how far one has come. */
export function Download({ model, payload, answer, rows }: Job & { rows: number }) {
  const [done, setDone] = useState<number>()
  const [word, setWord] = useState("")
  const control = useRef<AbortController>(undefined)
  const start = async (kind: FileKind) => {
    control.current = new AbortController()
    setDone(0)
    setWord("")
    try {
      let saved = 0
      const file = await build(kind, { model, payload, answer }, control.current.signal, (n) => setDone((saved = n)))
      save(file, `${model}.${kind}`)
      setWord(t("take.done", count(saved)))
    } catch (error) {
      setWord(aborted(error) ? t("take.stopped") : error instanceof Changed ? t("take.changed") : failureText(ofUnknown(error)))
    }
    setDone(undefined)
  }
  if (done !== undefined) {
    return (
      <div class="stack">
        <progress max={rows} value={done} aria-label={t("take.progress", count(done), count(rows))} />
        <div class="row">
          <span class="muted grow">{t("take.progress", count(done), count(rows))}</span>
          <button class="button small" type="button" onClick={() => control.current?.abort()}>
            {t("frame.cancel")}
          </button>
        </div>
      </div>
    )
  }
  return (
    <div class="row">
      <button class="button small" type="button" onClick={() => void start("csv")}>
        {t("take.csv")}
      </button>
      <button class="button small" type="button" onClick={() => void start("json")}>
        {t("take.json")}
      </button>
      <span class="muted" role="status">
        {word}
      </span>
    </div>
  )
}
