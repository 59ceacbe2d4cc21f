// The keys that work everywhere. A view adds its own by listening for these two events.
import { signal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { go, views } from "../route"
import { t, type Word } from "../words"
import { leadTo } from "./lead"

/** Events on window: put the cursor into the search of this view; run what stands there. */
export const searchEvent = "parlance-search"
export const runEvent = "parlance-run"

export const keysShown = signal(false)

/** listen takes the keys of the whole page. */
export function listen(): void {
  addEventListener("keydown", (e) => {
    if ((e.ctrlKey || e.metaKey) && e.key === "Enter") {
      e.preventDefault()
      dispatchEvent(new Event(runEvent))
      return
    }
    if (e.altKey && !e.ctrlKey && !e.metaKey && /^Digit[1-4]$/.test(e.code)) {
      const view = views[Number(e.code.slice(5)) - 1]
      e.preventDefault()
      if (view) go(leadTo(view))
      return
    }
    if (e.ctrlKey || e.metaKey || e.altKey || writes(e.target)) return
    if (e.key === "/") {
      e.preventDefault()
      dispatchEvent(new Event(searchEvent))
    } else if (e.key === "?") {
      keysShown.value = true
    }
  })
}

function writes(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null
}

/** useKey runs work on one of the page's events. */
export function useKey(event: string, work: () => void): void {
  const latest = useRef(work)
  latest.current = work
  useEffect(() => {
    const run = () => latest.current()
    addEventListener(event, run)
    return () => removeEventListener(event, run)
  }, [event])
}

const list: [string, Word][] = [
  ["/", "keys.search"],
  ["Ctrl Enter", "keys.run"],
  ["Alt 1 … 4", "keys.views"],
  ["↑ ↓", "keys.move"],
  ["Enter", "keys.pick"],
  ["Esc", "keys.close"],
  ["?", "keys.help"],
]

export function KeysDialog() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} aria-labelledby="keys-title" onClose={() => (keysShown.value = false)}>
      <form method="dialog">
        <h2 id="keys-title">{t("frame.keys")}</h2>
        <div class="keys-list">
          {list.map(([key, word]) => (
            <>
              <span>
                {key.split(" ").map((k) => (k === "…" ? " … " : <kbd key={k}>{k}</kbd>))}
              </span>
              <span>{t(word)}</span>
            </>
          ))}
        </div>
        <footer>
          <button class="button" type="submit">
            {t("frame.close")}
          </button>
        </footer>
      </form>
    </dialog>
  )
}
