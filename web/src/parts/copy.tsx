import { useEffect, useState } from "preact/hooks"
import { t } from "../words"
import { Icon } from "./icon"

/** A button that puts a text into the clipboard and says so. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [done, setDone] = useState(false)
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => setDone(false), 1600)
    return () => clearTimeout(timer)
  }, [done])
  return (
    <button class="button small" type="button" aria-label={`${t("take.copy")}: ${label}`} onClick={() => void copy(text).then(() => setDone(true))}>
      <Icon name={done ? "check" : "copy"} />
      <span aria-live="polite">{done ? t("take.copied") : t("take.copy")}</span>
    </button>
  )
}

/** copy works on plain HTTP too, where the clipboard's own interface is missing. */
async function copy(text: string): Promise<void> {
  if (navigator.clipboard) {
    try {
      return await navigator.clipboard.writeText(text)
    } catch {
      // The older way below needs no permission.
    }
  }
  const area = document.createElement("textarea")
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand("copy")
  area.remove()
}
