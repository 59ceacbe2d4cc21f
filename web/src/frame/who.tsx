import { signal } from "@preact/signals"
import { useEffect, useRef, useState } from "preact/hooks"
import { go, route } from "../route"
import { generation, namespace, openNamespaces, runtimeCode, token } from "../server/connection"
import { Icon } from "../parts/icon"
import { t } from "../words"

const shown = signal(false)

/** openWho asks for namespace and identity. */
export function openWho(): void {
  shown.value = true
}

/** The button that says who asks where, and its dialog. */
export function Who() {
  const name = namespace.value || t("frame.default")
  return (
    <>
      <button class="button bare small who" type="button" onClick={openWho} aria-label={`${t("who.title")}: ${name}, ${t(token.value ? "who.known" : "who.anonymous")}`}>
        <span class={token.value ? "dot known" : "dot"} />
        <span>{name}</span>
        <Icon name="down" />
      </button>
      {shown.value && <WhoDialog onClose={() => (shown.value = false)} />}
    </>
  )
}

function WhoDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [known, setKnown] = useState<string[]>([])
  const [name, setName] = useState(namespace.value)
  const [secret, setSecret] = useState(token.value)
  const [code, setCode] = useState(runtimeCode.value)
  useEffect(() => {
    dialog.current?.showModal()
    void openNamespaces().then(setKnown)
  }, [])
  const use = (e: Event) => {
    e.preventDefault()
    const moved = name.trim() !== namespace.value
    token.value = secret.trim()
    runtimeCode.value = code.trim()
    if (moved) go({ view: route.value.view }, false, name.trim())
    generation.value++
    onClose()
  }
  return (
    <dialog ref={dialog} aria-labelledby="who-title" onClose={onClose}>
      <form onSubmit={use}>
        <h2 id="who-title">{t("who.title")}</h2>
        <label>
          <div class="field-label">{t("who.namespace")}</div>
          <input list="who-namespaces" value={name} onInput={(e) => setName(e.currentTarget.value)} autocomplete="off" spellcheck={false} placeholder={t("frame.default")} name="namespace" />
          <datalist id="who-namespaces">
            {known.map((n) => (
              <option key={n} value={n} />
            ))}
          </datalist>
          <div class="muted">{t("who.namespaceHint")}</div>
        </label>
        <label>
          <div class="field-label">{t("who.token")}</div>
          <input type="password" value={secret} onInput={(e) => setSecret(e.currentTarget.value)} autocomplete="off" spellcheck={false} name="token" />
          <div class="muted">{t("who.tokenHint")}</div>
        </label>
        <label>
          <div class="field-label">{t("who.code")}</div>
          <input type="password" value={code} onInput={(e) => setCode(e.currentTarget.value)} autocomplete="off" spellcheck={false} name="code" />
          <div class="muted">{t("who.codeHint")}</div>
        </label>
        <footer>
          {token.value && (
            <button class="button bare" type="button" onClick={() => setSecret("")}>
              {t("who.forget")}
            </button>
          )}
          <button class="button" type="button" onClick={() => dialog.current?.close()}>
            {t("frame.cancel")}
          </button>
          <button class="button main" type="submit">
            {t("who.use")}
          </button>
        </footer>
      </form>
    </dialog>
  )
}
