import type { ComponentChildren } from "preact"
import { useRef, useState } from "preact/hooks"
import { Icon } from "../../parts/icon"
import { Popover } from "../../parts/popover"
import { t } from "../../words"

interface ChipProps {
  text: string
  tone?: "measure" | "key" | "unset" | undefined
  title?: string
  onRemove?: () => void
  onMove?: (by: number) => void
  editor?: (close: () => void) => ComponentChildren
}

/** A part of the query: a click edits it, the cross takes it away, arrow keys with Alt move it. */
export function Chip({ text, tone, title, onRemove, onMove, editor }: ChipProps) {
  const [open, setOpen] = useState(false)
  const chip = useRef<HTMLSpanElement>(null)
  const remove = () => {
    setOpen(false)
    if (chip.current?.contains(document.activeElement)) focusNext(chip.current)
    onRemove?.()
  }
  const key = (e: KeyboardEvent) => {
    if (onRemove && (e.key === "Delete" || e.key === "Backspace")) remove()
    else if (e.altKey && e.key === "ArrowLeft") onMove?.(-1)
    else if (e.altKey && e.key === "ArrowRight") onMove?.(1)
    else return
    e.preventDefault()
  }
  return (
    <span ref={chip} class={tone ? `chip anchor ${tone}` : "chip anchor"} title={title}>
      {editor ? (
        <button class="chip-text" type="button" aria-haspopup="dialog" aria-expanded={open} aria-label={t("explore.edit", text)} onClick={() => setOpen(!open)} onKeyDown={(e) => e.target === e.currentTarget && key(e)}>
          {tone === "unset" && <Icon name="plus" />}
          {text}
        </button>
      ) : (
        <span class="chip-text">{text}</span>
      )}
      {onRemove && (
        <button class="chip-remove" type="button" aria-label={t("explore.remove", text)} onClick={remove} onKeyDown={key}>
          <Icon name="close" />
        </button>
      )}
      {open && editor && (
        <Popover label={text} onClose={() => setOpen(false)}>
          {editor(() => setOpen(false))}
        </Popover>
      )}
    </span>
  )
}

/** focusNext moves on to what stands behind a chip that goes, or before it. */
function focusNext(chip: HTMLElement): void {
  const all = [...(chip.closest(".query-parts")?.querySelectorAll<HTMLElement>("button, select, input") ?? [])]
  const others = all.filter((e) => !chip.contains(e))
  const next = others.find((e) => chip.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING) ?? others[others.length - 1]
  next?.focus()
}

interface AddProps {
  label: string
  editor: (close: () => void) => ComponentChildren
}

/** The button that adds a part. */
export function AddChip({ label, editor }: AddProps) {
  const [open, setOpen] = useState(false)
  return (
    <span class="anchor">
      <button class="chip-add" type="button" aria-haspopup="dialog" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="plus" />
        {label}
      </button>
      {open && (
        <Popover label={label} onClose={() => setOpen(false)}>
          {editor(() => setOpen(false))}
        </Popover>
      )}
    </span>
  )
}
