// Where the page is: the view, its model and its parameters, all behind # in the address. The server never sees it.
import { signal } from "@preact/signals"
import { decode, encode, type Params } from "./query/address"
import { namespace } from "./server/connection"

export type View = "models" | "explore" | "ask" | "inspect"
export const views: View[] = ["models", "explore", "ask", "inspect"]

export interface Route {
  view: View
  model: string
  params: Params
  unknown: string // the part of the address that names no view, or stands behind all that a view has
}

export const route = signal<Route>(read(location.hash))

function read(hash: string): Route {
  const [path = "", query = ""] = split(hash.replace(/^#\/?/, ""))
  const [first = "", model = "", ...rest] = path.split("/")
  const view = views.find((v) => v === first)
  const params = decode(query)
  namespace.value = params.find(([name]) => name === "ns")?.[1] ?? ""
  return {
    view: view ?? "models",
    model: safeDecode(model),
    params: params.filter(([name]) => name !== "ns"),
    unknown: safeDecode(!view ? first : rest.join("/")),
  }
}

function split(text: string): [string, string] {
  const at = text.indexOf("?")
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)]
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** addressOf writes a route as a link within the page. */
export function addressOf(to: Partial<Route> & { view: View }, ns = namespace.value): string {
  const params: Params = [...(ns ? [["ns", ns] as [string, string]] : []), ...(to.params ?? [])]
  const query = encode(params)
  return `#/${to.view}${to.model ? "/" + encodeURIComponent(to.model) : ""}${query ? "?" + query : ""}`
}

/** go leads to a route; with replace the one before is forgotten. */
export function go(to: Partial<Route> & { view: View }, replace = false, ns = namespace.value): void {
  const address = addressOf(to, ns)
  if (address === location.hash) return
  history[replace ? "replaceState" : "pushState"](null, "", address)
  route.value = read(location.hash)
}

/** follow keeps the route in step with the browser's back and forward. */
export function follow(): void {
  const reread = () => (route.value = read(location.hash))
  addEventListener("popstate", reread)
  addEventListener("hashchange", reread)
}

/** param returns a parameter's first value. */
export function param(name: string): string | undefined {
  return route.value.params.find(([n]) => n === name)?.[1]
}
