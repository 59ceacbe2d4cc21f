import type { ComponentChildren } from "preact"
import { Icon, type IconName } from "./icon"

/** What stands where there is nothing yet: what it is for, and what to do. */
export function Empty({ icon, title, children }: { icon: IconName; title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** Grey lines in the place of text that is on its way. */
export function Waiting({ lines = 4, height = 16 }: { lines?: number; height?: number }) {
  return (
    <div class="stack" aria-hidden="true">
      {Array.from({ length: lines }, (_, i) => (
        <div key={i} class="waiting" style={{ height: `${height}px`, width: `${[92, 76, 84, 64, 88, 70][i % 6]}%` }} />
      ))}
    </div>
  )
}
