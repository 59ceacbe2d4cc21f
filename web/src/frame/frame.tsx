import { Icon } from "../parts/icon"
import { Note } from "../parts/notice"
import { addressOf, route, views, type View } from "../route"
import { unreachable } from "../server/connection"
import { language, speak, t } from "../words"
import { AskView } from "../views/ask/ask"
import { ExploreView } from "../views/explore/explore"
import { InspectView } from "../views/inspect/inspect"
import { ModelsView } from "../views/models/models"
import { dark, turn } from "./appearance"
import { Boundary } from "./boundary"
import { useFocusOnChange } from "./focus"
import { KeysDialog, keysShown } from "./keys"
import { leadTo } from "./lead"
import { Who } from "./who"

/** The whole page: header, and the view of the address. */
export function Frame() {
  useFocusOnChange()
  return (
    <>
      <a class="skip" href="#content" onClick={skip}>
        {t("frame.skip")}
      </a>
      <header class="frame-header">
        <a class="brand" href={addressOf({ view: "models" })}>
          <Brand />
          Parlance
        </a>
        <nav class="views" aria-label={t("frame.views")}>
          {views.map((v) => (
            <a key={v} href={addressOf(leadTo(v))} aria-current={route.value.view === v ? "page" : undefined}>
              {t(`view.${v}`)}
            </a>
          ))}
        </nav>
        <div class="frame-tools">
          <Who />
          <button class="button bare small" type="button" onClick={() => speak(language.value === "zh" ? "en" : "zh")} lang={language.value === "zh" ? "en" : "zh-CN"}>
            {t("frame.language")}
          </button>
          <button class="button bare small square" type="button" aria-label={t(dark.value ? "frame.light" : "frame.dark")} onClick={turn}>
            <Icon name={dark.value ? "sun" : "moon"} />
          </button>
          <button class="button bare small square keys" type="button" aria-label={t("frame.keys")} onClick={() => (keysShown.value = true)}>
            <Icon name="keys" />
          </button>
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        {route.value.unknown && (
          <div class="pad">
            <Note>{t("link.noView", route.value.unknown)}</Note>
          </div>
        )}
        <Boundary place={addressOf(route.value)} view={route.value.view}>
          <CurrentView view={route.value.view} />
        </Boundary>
      </main>
      {unreachable.value && (
        <div class="notice warn offline" role="status">
          <Icon name="alert" />
          {t("frame.unreachable")}
        </div>
      )}
      {keysShown.value && <KeysDialog />}
    </>
  )
}

function skip(e: Event): void {
  e.preventDefault()
  document.getElementById("content")?.focus()
}

function CurrentView({ view }: { view: View }) {
  switch (view) {
    case "models":
      return <ModelsView />
    case "explore":
      return <ExploreView />
    case "ask":
      return <AskView />
    case "inspect":
      return <InspectView />
  }
}

function Brand() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#1d5c97" />
      <path d="M9 23V9h7.500a5 5 0 0 1 0 10H13v4" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" />
      <circle cx="22.5" cy="23" r="2" fill="#f0b54a" />
    </svg>
  )
}
