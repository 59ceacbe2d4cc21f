// What the page's modules need beside Node to be tested without a browser: imports without endings, and what a document is
// asked for when modules load.
import { existsSync } from "node:fs"
import { registerHooks } from "node:module"

registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith(".") && context.parentURL && !/\.(ts|tsx|js|mjs)$/.test(specifier)) {
      const found = [".ts", ".tsx"].map((end) => new URL(specifier + end, context.parentURL)).find((url) => existsSync(url))
      if (found) return { url: found.href, shortCircuit: true }
    }
    return next(specifier, context)
  },
})

Object.assign(globalThis, {
  document: { documentElement: {} },
  location: { hash: "", origin: "http://parlance.test", href: "http://parlance.test/" },
})
