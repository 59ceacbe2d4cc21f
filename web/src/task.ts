// Asking the server from a component: the last answer stays while the next is on its way, and only the newest counts.
import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import { aborted, ofUnknown, type Failure } from "./server/failure"

export interface Task<T> {
  data: T | undefined
  failure: Failure | undefined
  running: boolean
  slow: boolean // has been running for so long that it should be shown
  again: () => void
  cancel: () => void
}

const flicker = 250 // what is faster than this needs no sign of waiting

interface State<T> {
  data: T | undefined
  failure: Failure | undefined
  running: boolean
  slow: boolean
}

/** useTask runs work whenever key changes; an undefined key means there is nothing to ask. */
export function useTask<T>(key: string | undefined, work: (signal: AbortSignal) => Promise<T>): Task<T> {
  const [state, set] = useState<State<T>>({ data: undefined, failure: undefined, running: key !== undefined, slow: false })
  const [round, next] = useState(0)
  const running = useRef<AbortController>(undefined)
  const latest = useRef(work)
  latest.current = work

  useEffect(() => {
    if (key === undefined) {
      set({ data: undefined, failure: undefined, running: false, slow: false })
      return
    }
    const control = new AbortController()
    running.current = control
    set((s) => ({ ...s, running: true, slow: false }))
    const timer = setTimeout(() => set((s) => ({ ...s, slow: true })), flicker)
    latest.current(control.signal).then(
      (data) => control.signal.aborted || set({ data, failure: undefined, running: false, slow: false }),
      (error: unknown) => {
        if (aborted(error)) return
        if (!control.signal.aborted) set((s) => ({ data: s.data, failure: ofUnknown(error), running: false, slow: false }))
      },
    ).finally(() => clearTimeout(timer))
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [key, round])

  const cancel = useCallback(() => {
    running.current?.abort()
    set((s) => ({ ...s, running: false, slow: false }))
  }, [])
  return { ...state, again: () => next((n) => n + 1), cancel }
}
