import type { Params } from "../query/address"
import { t } from "../words"
import { Note } from "./notice"

const mostShown = 60

/** What of a link could not be read, by name; nothing of a link is left out in silence. */
export function Unread({ parts, onDrop }: { parts: Params; onDrop: () => void }) {
  if (parts.length === 0) return null
  return (
    <Note>
      <p>{t("link.unread")}</p>
      <ul class="unread">
        {parts.map(([name, text], i) => (
          <li key={i}>
            <strong>{name}</strong> <code>{text.length > mostShown ? text.slice(0, mostShown) + "…" : text}</code>
          </li>
        ))}
      </ul>
      <button class="button small" type="button" onClick={onDrop}>
        {t("link.drop")}
      </button>
    </Note>
  )
}
