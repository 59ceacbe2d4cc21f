import { defineConfig } from "vite"

// The built page lands where the server embeds it. Names carry a hash of their content, so that they can be cached for
// ever; everything is one script and one style sheet, so that a page that is open survives a new version of the server.
export default defineConfig({
  base: "./",
  build: {
    outDir: "../internal/transport/page/assets",
    emptyOutDir: true,
    target: "es2023",
    cssTarget: ["chrome125", "firefox128", "safari18"],
    assetsDir: "built",
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  server: { proxy: Object.fromEntries(["/mcp", "/jdbc-model", "/healthz", "/readyz"].map((path) => [path, "http://127.0.0.1:7108"])) },
})
