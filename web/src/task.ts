// Asking the server from a component: the last answer stays while the next is on its way, and only the newest counts.
// What one caller was answered is gone as soon as another asks.
import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import { caller, comeback } from "./server/connection"
import { aborted, ofUnknown, type Failure } from "./server/failure"

export interface Task<T> {
  data: T | undefined
  failure: Failure | undefined
  running: boolean
  slow: boolean // has been running for so long that it should be shown
  cancelled: boolean // by the reader, and not run since
  again: () => void
  cancel: () => void
}

const flicker = 250 // what is faster than this needs no sign of waiting

interface State<T> {
  data: T | undefined
  failure: Failure | undefined
  running: boolean
  slow: boolean
  cancelled: boolean
  of: string // whom the data was for
}

function nothing<T>(running: boolean): State<T> {
  return { data: undefined, failure: undefined, running, slow: false, cancelled: false, of: caller.value }
}

/** useTask runs work whenever key changes; an undefined key means there is nothing to ask. */
export function useTask<T>(key: string | undefined, work: (signal: AbortSignal) => Promise<T>): Task<T> {
  const [state, set] = useState<State<T>>(() => nothing(key !== undefined))
  const [round, next] = useState(0)
  const control = useRef<AbortController>(undefined)
  const latest = useRef(work)
  latest.current = work
  const again = useCallback(() => next((n) => n + 1), [])
  const of = caller.value
  const current = state.of === of ? state : nothing<T>(key !== undefined)

  useEffect(() => {
    if (key === undefined) return set(nothing(false))
    const mine = (control.current = new AbortController())
    const live = (change: (s: State<T>) => State<T>) => mine.signal.aborted || set(change)
    const ended = { running: false, slow: false, cancelled: false }
    set((s) => ({ ...(s.of === of ? s : nothing<T>(true)), running: true, slow: false, cancelled: false }))
    const timer = setTimeout(() => live((s) => ({ ...s, slow: true })), flicker)
    latest.current(mine.signal).then(
      (data) => live(() => ({ ...ended, data, failure: undefined, of })),
      (error: unknown) => aborted(error) || live((s) => ({ ...s, ...ended, failure: ofUnknown(error) })),
    ).finally(() => clearTimeout(timer))
    return () => {
      clearTimeout(timer)
      mine.abort()
    }
  }, [key, round, of])

  const unanswered = current.failure?.kind === "unreachable" && !current.running
  const seen = useRef(comeback.value)
  useEffect(() => {
    if (unanswered && seen.current !== comeback.value) again()
    seen.current = comeback.value
  }, [comeback.value])

  const cancel = useCallback(() => {
    control.current?.abort()
    set((s) => ({ ...s, running: false, slow: false, cancelled: true }))
  }, [])
  return { data: current.data, failure: current.failure, running: current.running, slow: current.slow, cancelled: current.cancelled, again, cancel }
}
