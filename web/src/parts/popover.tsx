import type { ComponentChildren } from "preact"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"

interface Props {
  label: string
  right?: boolean
  onClose: () => void
  children: ComponentChildren
}

const margin = 12

/** A panel below its anchor, within the window. It takes the focus, unless what is in it has taken it, and gives it back when Escape or a click elsewhere closes it; going on by keyboard closes it too. */
export function Popover({ label, right, onClose, children }: Props) {
  const panel = useRef<HTMLDivElement>(null)
  const before = useRef(document.activeElement as HTMLElement | null)
  useLayoutEffect(() => {
    const box = panel.current
    if (!box) return
    const beyond = Math.ceil(box.getBoundingClientRect().right) + margin - document.documentElement.clientWidth
    if (beyond > 0 && getComputedStyle(box).position === "absolute") box.style.marginLeft = `${-beyond}px`
    box.scrollIntoView({ block: "nearest" })
    if (!box.contains(document.activeElement)) box.querySelector<HTMLElement>("[data-first], input:not([type=hidden]), select, button")?.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    const outside = (e: Event) => {
      const anchor = panel.current?.parentElement
      if (anchor && !anchor.contains(e.target as Node)) onClose()
    }
    document.addEventListener("pointerdown", outside)
    return () => {
      document.removeEventListener("pointerdown", outside)
      if (panel.current?.contains(document.activeElement) || document.activeElement === document.body) before.current?.focus()
    }
  }, [])
  const key = (e: KeyboardEvent) => {
    if (e.key !== "Escape") return
    e.stopPropagation()
    onClose()
  }
  const leave = (e: FocusEvent) => {
    const anchor = panel.current?.parentElement
    if (e.relatedTarget instanceof Node && anchor && !anchor.contains(e.relatedTarget)) onClose()
  }
  return (
    <div ref={panel} class={right ? "popover right" : "popover"} role="dialog" aria-label={label} onKeyDown={key} onFocusOut={leave}>
      {children}
    </div>
  )
}
