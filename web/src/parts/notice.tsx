import type { ComponentChildren } from "preact"
import type { Failure, Mistake } from "../server/failure"
import { t, type Word } from "../words"
import { openWho } from "../frame/who"
import { addressOf } from "../route"
import { Icon } from "./icon"
import { reasonOf } from "./reasons"

interface Props {
  failure: Failure
  onRetry?: () => void
  onMend?: (mistake: Mistake) => void
  unfit?: boolean // the mend was tried and does not fit
}

/** A failure in words, with what can be done about it as buttons. */
export function FailureNotice({ failure, onRetry, onMend, unfit }: Props) {
  const { kind, mistake, trace } = failure
  const known = kind === "token" || kind === "code"
  const waits = kind === "unreachable"
  const missing = kind === "mistake" && mistake?.code === 404 // a model or a namespace
  return (
    <div class={known || waits ? "notice warn" : "notice bad"} role="alert" data-failure={kind}>
      <Icon name={known || kind === "forbidden" ? "lock" : "alert"} />
      <div class="grow">
        <h2>{t(missing ? "fail.missing" : `fail.${kind}`)}</h2>
        {waits ? <p class="soft">{t("fail.wait")}</p> : <Why failure={failure} />}
        {unfit && <p class="soft">{t("fail.unfit")}</p>}
        {mistake?.hint && !missing && <p class="soft">{mistake.hint}</p>}
        {trace && <p class="muted mono">{t("fail.trace", trace)}</p>}
        <div class="row">
          {known && (
            <button class="button main small" type="button" onClick={openWho}>
              <Icon name="key" />
              {t(kind === "token" ? "who.enter" : "who.enterCode")}
            </button>
          )}
          {mistake?.patch && onMend && (
            <button class="button main small" type="button" onClick={() => onMend(mistake)}>
              {mendWord(mistake)}
            </button>
          )}
          {missing && (
            <a class="button small" href={addressOf({ view: "models" })}>
              {t("fail.models")}
            </a>
          )}
          {onRetry && !known && !waits && kind !== "mistake" && (
            <button class="button small" type="button" onClick={onRetry}>
              {t("fail.retry")}
            </button>
          )}
        </div>
      </div>
    </div>
  )
}

/** Why the server refused: in its own words or, where the page has a sentence of its own, in that and the server's beside it. */
function Why({ failure }: { failure: Failure }) {
  const { mistake, message } = failure
  const reason = reasonOf(failure)
  const place = placeOf(mistake)
  if (!reason) return <p>{place && <code>{place}</code>} {message || t("fail.odd")}</p>
  return (
    <>
      <p>{reason}</p>
      <Details mistake={mistake} />
      {message && <p class="muted">{t("fail.said", message)}</p>}
    </>
  )
}

/** What a mistake is about, piece by piece. */
function Details({ mistake }: { mistake: Mistake | undefined }) {
  const pieces: [Word, string[]][] = [
    ["fail.where", mistake?.path ? [mistake.path] : []],
    ["fail.got", mistake?.got ? [mistake.got] : []],
    ["fail.closest", mistake?.closest ?? []],
    ["fail.allowed", mistake?.allowed ?? []],
  ]
  return (
    <dl class="failure-details">
      {pieces.map(([word, texts]) =>
        texts.length === 0 ? null : (
          <div key={word}>
            <dt>{t(word)}</dt>
            {texts.map((text) => (
              <dd key={text}>
                <code>{text}</code>
              </dd>
            ))}
          </div>
        ),
      )}
    </dl>
  )
}

/** placeOf is where in the query a mistake is, where its words do not say so. */
function placeOf(m: Mistake | undefined): string {
  const path = m?.path?.replace(/^payload\.?/, "") ?? ""
  return /[[.]/.test(path) && !m?.message.includes(path) ? path : ""
}

function mendWord(m: Mistake): string {
  const values = new Set(m.patch?.map((step) => (step.op === "replace" ? step.value : undefined)))
  const [value] = values.size === 1 ? values : []
  return typeof value === "string" || typeof value === "number" ? t("fail.mendTo", String(value)) : t("fail.mend")
}

/** A note that is no failure. */
export function Note({ children }: { children: ComponentChildren }) {
  return (
    <div class="notice warn" role="status">
      <Icon name="alert" />
      <div class="grow">{children}</div>
    </div>
  )
}
