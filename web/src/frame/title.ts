import { effect } from "@preact/signals"
import { isolate } from "../bidi"
import { route } from "../route"
import { t } from "../words"

/** entitle keeps the title of the window in step with the view, in the reader's language. */
export function entitle(): void {
  effect(() => {
    const { view, model } = route.value
    document.title = [isolate(model), t(`view.${view}`), "Parlance"].filter(Boolean).join(" · ")
  })
}
