// The way between the views: model and query go along where both views have them, and wait where one comes back.
import { effect } from "@preact/signals"
import { route, type Route, type View } from "../route"
import { namespace } from "../server/connection"

let left: { ns: string; route: Route } | undefined // where a query was last seen

/** remember keeps the query that is on the page. */
export function remember(): void {
  effect(() => {
    const { view, model, params } = route.value
    if ((view === "explore" || view === "inspect") && model && params.length > 0) left = { ns: namespace.value, route: route.value }
  })
}

/** leadTo is where the reader gets by choosing a view. */
export function leadTo(view: View): Partial<Route> & { view: View } {
  const { view: from, model, params } = route.value
  if (view === from) return view === "models" ? { view } : route.value
  if (view === "ask") return { view }
  if (view === "models") return { view, model }
  if (from === "explore" || from === "inspect") return { view, model, params: fitting(view, params) }
  const waits = left && left.ns === namespace.value && (from === "ask" || left.route.model === model)
  return left && waits ? { view, model: left.route.model, params: fitting(view, left.route.params) } : { view, model }
}

function fitting(view: View, params: Route["params"]): Route["params"] {
  return params.filter(([name]) => view === "explore" || name !== "chart")
}
