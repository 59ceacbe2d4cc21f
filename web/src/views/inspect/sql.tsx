// SQL set out for reading: a clause a line, nested queries indented, words of the language told apart.

type Kind = "word" | "text" | "name" | "mark" | "space" | "other"

interface Piece {
  kind: Kind
  text: string
}

const words = new Set("SELECT FROM LEFT INNER CROSS FULL RIGHT OUTER JOIN ON WHERE GROUP BY ORDER HAVING LIMIT OFFSET UNION ALL AS AND OR NOT IN IS NULL NULLS FIRST LAST ASC DESC WITH CASE WHEN THEN ELSE END DISTINCT OVER PARTITION BETWEEN LIKE EXISTS SUM COUNT MIN MAX AVG CAST COALESCE".split(" "))
const opens = new Set(["FROM", "WHERE", "GROUP", "ORDER", "HAVING", "LIMIT", "UNION", "LEFT", "INNER", "CROSS", "FULL"])

function piecesOf(sql: string): Piece[] {
  const pattern = /(\s+)|('(?:[^']|'')*')|("(?:[^"]|"")*"|`[^`]*`)|([A-Za-z_][A-Za-z0-9_]*)|([(),])|([\s\S])/g
  return [...sql.matchAll(pattern)].map(([text, space, string, quoted, word, mark]) => {
    const kind: Kind = space ? "space" : string ? "text" : quoted ? "name" : word ? (words.has(word.toUpperCase()) ? "word" : "other") : mark ? "mark" : "other"
    return { kind, text }
  })
}

/** laidOut breaks a statement into lines. */
export function laidOut(sql: string): { indent: number; pieces: Piece[] }[] {
  const lines: { indent: number; pieces: Piece[] }[] = [{ indent: 0, pieces: [] }]
  const nested: boolean[] = [] // for each open bracket, whether it holds a query
  const depth = () => nested.filter(Boolean).length
  const line = () => lines[lines.length - 1] as { indent: number; pieces: Piece[] }
  const feed = () => {
    if (line().pieces.length > 0) lines.push({ indent: depth(), pieces: [] })
    else line().indent = depth()
  }
  const all = piecesOf(sql)
  all.forEach((p, i) => {
    const next = all.slice(i + 1).find((q) => q.kind !== "space")
    if (p.kind === "space") {
      if (line().pieces.length > 0) line().pieces.push({ kind: "space", text: " " })
      return
    }
    if (p.text === ")" && nested.pop()) feed()
    if (p.kind === "word" && opens.has(p.text.toUpperCase()) && nested[nested.length - 1] !== false) feed()
    line().pieces.push(p)
    if (p.text === "(") {
      nested.push(next?.text.toUpperCase() === "SELECT")
      if (nested[nested.length - 1]) feed()
    }
  })
  return lines.filter((l) => l.pieces.some((p) => p.kind !== "space"))
}

export function Sql({ text, label }: { text: string; label: string }) {
  return (
    <pre class="sql" tabIndex={0} aria-label={label}>
      {laidOut(text).map((l, i) => (
        <span key={i}>
          {"  ".repeat(l.indent)}
          {l.pieces.map((p, n) => (p.kind === "word" || p.kind === "text" ? <span key={n} class={`sql-${p.kind}`}>{p.text}</span> : p.text))}
          {"\n"}
        </span>
      ))}
    </pre>
  )
}
