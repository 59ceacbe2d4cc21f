// Where the focus goes when the view changes: to its heading, so that a screen reader reads it and the keyboard goes on
// from there. A heading that is still on its way takes the focus when it comes, unless the reader has moved on.
import type { ComponentChildren } from "preact"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { route } from "../route"

let owed = false

/** useFocusOnChange gives the focus to the new view; within a view only where what had it is gone. */
export function useFocusOnChange(): void {
  const view = route.value.view
  const before = useRef(view)
  useEffect(() => {
    const moved = before.current !== view
    before.current = view
    if (moved) scrollTo(0, 0)
    if (!moved || takenByView()) return
    owed = !focusHeading()
    if (owed) document.getElementById("content")?.focus({ preventScroll: true })
  }, [view])
}

/** takenByView says whether the new view has put the focus where one begins in it. */
function takenByView(): boolean {
  const at = document.activeElement
  return at instanceof HTMLInputElement && document.getElementById("content")?.contains(at) === true
}

function focusHeading(): boolean {
  const heading = document.querySelector<HTMLElement>("main h1")
  heading?.focus({ preventScroll: true })
  return heading !== null
}

/** The heading of a view; hidden is for those who do not see, where a picture says enough. */
export function Title({ hidden, children }: { hidden?: boolean; children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    const waits = document.activeElement === document.body || document.activeElement?.id === "content"
    if (owed && waits) heading.current?.focus({ preventScroll: true })
    if (waits || !hidden) owed = false
    return () => {
      if (document.activeElement === heading.current) owed = true // the next heading of this view takes over
    }
  }, [])
  return (
    <h1 ref={heading} tabIndex={-1} class={hidden ? "hidden-text" : "grow"}>
      {children}
    </h1>
  )
}
