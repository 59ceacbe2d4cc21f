// Light or dark: the system's, unless the reader chose.
import { signal } from "@preact/signals"
import { remember, remembered } from "../words"

const stored = "parlance.appearance" // read by appearance.js too, before the first paint
const system = matchMedia("(prefers-color-scheme: dark)")

export const dark = signal(isDark())

function isDark(): boolean {
  const chosen = remembered(stored)
  return chosen ? chosen === "dark" : system.matches
}

system.addEventListener("change", () => {
  if (!remembered(stored)) dark.value = system.matches
})

/** turn changes the appearance; choosing the system's own forgets the choice. */
export function turn(): void {
  dark.value = !dark.value
  const word = dark.value ? "dark" : "light"
  if (dark.value === system.matches) {
    remember(stored, null)
    delete document.documentElement.dataset.appearance
  } else {
    remember(stored, word)
    document.documentElement.dataset.appearance = word
  }
}
