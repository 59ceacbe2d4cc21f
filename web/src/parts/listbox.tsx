import type { ComponentChildren } from "preact"
import { useEffect, useId, useRef, useState } from "preact/hooks"
import { Icon } from "./icon"

export interface Choice {
  value: string
  label: string
  note?: string
  selected?: boolean
}

interface Props {
  label: string
  placeholder: string
  choices: Choice[]
  onPick: (value: string) => void
  onSearch?: (text: string) => void // the choices are searched elsewhere
  none: string
  multiple?: boolean
  children?: ComponentChildren
}

/** A searchable list: type to narrow, arrows to move, Enter to pick. */
export function Listbox({ label, placeholder, choices, onPick, onSearch, none, multiple, children }: Props) {
  const [text, setText] = useState("")
  const [active, setActive] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const shown = onSearch ? choices : choices.filter((c) => matches(text, c.label, c.value, c.note)).toSorted((a, b) => distance(text, a.label) - distance(text, b.label))
  const at = Math.min(active, shown.length - 1)

  useEffect(() => {
    list.current?.querySelector('[data-active="true"]')?.scrollIntoView({ block: "nearest" })
  }, [at, shown.length])

  const key = (e: KeyboardEvent) => {
    if (e.key === "ArrowDown" || e.key === "ArrowUp") {
      e.preventDefault()
      setActive(Math.max(0, Math.min(shown.length - 1, at + (e.key === "ArrowDown" ? 1 : -1))))
    } else if (e.key === "Enter" && shown[at]) {
      e.preventDefault()
      onPick(shown[at].value)
    }
  }
  return (
    <div>
      <div class="search">
        <Icon name="search" />
        <input
          data-first
          type="text"
          role="combobox"
          aria-label={label}
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={shown[at] ? `${id}-${at}` : undefined}
          aria-autocomplete="list"
          autocomplete="off"
          spellcheck={false}
          placeholder={placeholder}
          value={text}
          onInput={(e) => {
            setText(e.currentTarget.value)
            setActive(0)
            onSearch?.(e.currentTarget.value)
          }}
          onKeyDown={key}
        />
      </div>
      <div class="options" role="listbox" id={id} ref={list} aria-label={label} aria-multiselectable={multiple ? "true" : undefined}>
        {shown.map((c, i) => (
          <div
            key={c.value}
            id={`${id}-${i}`}
            class="option"
            role="option"
            aria-selected={c.selected ? "true" : "false"}
            data-active={i === at}
            onPointerDown={(e) => e.preventDefault()}
            onClick={() => onPick(c.value)}
          >
            <span class="grow">{c.label}</span>
            {c.note && <span class="muted nowrap">{c.note}</span>}
            {c.selected && <Icon name="check" />}
          </div>
        ))}
      </div>
      {shown.length === 0 && <p class="muted" role="status">{none}</p>}
      {children}
    </div>
  )
}

/** distance is how far a name is from a search: the same, beginning so, holding its words, or found by other texts. */
export function distance(search: string, name: string): number {
  const [sought, found] = [search.trim().toLowerCase(), name.toLowerCase()]
  if (sought === "" || found === sought) return 0
  return found.startsWith(sought) ? 1 : sought.split(/\s+/).every((w) => found.split(/\s+/).some((f) => f.startsWith(w))) ? 2 : found.includes(sought) ? 3 : 4
}

/** matches says whether every word of a search is in one of the texts. */
export function matches(search: string, ...texts: (string | undefined)[]): boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return true
  const all = texts.filter(Boolean).join("\n").toLowerCase()
  return words.every((w) => all.includes(w))
}
