import { useEffect, useState } from "preact/hooks"
import { t } from "../words"
import { Icon } from "./icon"

/** A button that puts a text into the clipboard and says so. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [done, setDone] = useState<boolean>() // whether it worked; undefined before and after
  useEffect(() => {
    if (done === undefined) return
    const timer = setTimeout(() => setDone(undefined), done ? 1600 : 6000)
    return () => clearTimeout(timer)
  }, [done])
  return (
    <>
      <button class="button small" type="button" aria-label={`${t("take.copy")}: ${label}`} onClick={() => void copy(text).then(setDone)}>
        <Icon name={done ? "check" : done === false ? "alert" : "copy"} />
        <span aria-live="polite">{done ? t("take.copied") : t("take.copy")}</span>
      </button>
      {done === false && (
        <p class="muted copy-failed" role="alert">
          {t("take.notCopied")}
        </p>
      )}
    </>
  )
}

/** copy says whether the text is in the clipboard. It works on plain HTTP too, where the clipboard's own interface is missing. */
async function copy(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text)
      return true
    } catch {
      // The older way below needs no permission.
    }
  }
  const area = document.createElement("textarea")
  area.value = text
  const before = document.activeElement as HTMLElement | null
  const place = before?.parentElement ?? document.body // within an open panel, which a focus elsewhere would close
  place.append(area)
  area.select()
  try {
    return document.execCommand("copy")
  } catch {
    return false
  } finally {
    area.remove()
    before?.focus()
  }
}
