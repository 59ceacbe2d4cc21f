import { dimensionCaption, dimensionOf } from "../../query/groups"
import type { Model } from "../../server/models"
import { textWidth } from "../../textwidth"
import { listed, t } from "../../words"

interface Node {
  name: string
  caption: string
  depth: number
  row: number
  from: number | undefined // the row of what it hangs on
  fields: number
}

const line = 38
const high = 26

/** nodesOf lays the joins of a model out as a tree: the facts, their dimensions, and what these lead to. */
function nodesOf(model: Model): Node[] {
  const names = [...new Set(model.fields.map(dimensionOf).filter(Boolean))]
  const nodes: Node[] = []
  const place = (name: string, depth: number, from: number | undefined) => {
    const row = nodes.length
    nodes.push({ name, caption: dimensionCaption(model, name), depth, row, from, fields: model.fields.filter((f) => dimensionOf(f) === name).length })
    for (const child of names.filter((n) => n.slice(0, n.lastIndexOf(".")) === name && n.includes("."))) place(child, depth + 1, row)
  }
  for (const name of names.filter((n) => !n.includes(".") || !names.includes(n.slice(0, n.lastIndexOf("."))))) place(name, 1, undefined)
  return nodes
}

function wide(n: Node): number {
  return textWidth(n.caption, 13) + 28 + textWidth(String(n.fields), 12) + 8
}

/** The graph of joins: which dimensions a model's rows lead to. */
export function JoinGraph({ model }: { model: Model }) {
  const nodes = nodesOf(model)
  if (nodes.length === 0) return null
  const root = textWidth(model.caption, 14) + 32
  const widths = [0, 1, 2, 3].map((d) => Math.max(0, ...nodes.filter((n) => n.depth === d).map(wide)))
  const left = (depth: number) => root + 56 + widths.slice(1, depth).reduce((a, w) => a + w + 48, 0)
  const height = nodes.length * line
  const middle = (row: number) => row * line + line / 2
  const first = nodes.filter((n) => n.depth === 1)
  const rootY = ((first[0]?.row ?? 0) + (first[first.length - 1]?.row ?? 0)) / 2
  const width = Math.max(...nodes.map((n) => left(n.depth) + (widths[n.depth] ?? 0) + 4))
  return (
    <div class="graph" tabIndex={0} role="region" aria-label={t("models.joins")}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={t("models.joinsLabel", model.caption, listed(nodes.map((n) => n.caption)))}>
        {nodes.map((n) => {
          const x1 = n.from === undefined ? root : left(n.depth - 1) + wide(nodes[n.from] as Node)
          const y1 = middle(n.from ?? rootY)
          const x2 = left(n.depth)
          const y2 = middle(n.row)
          const bend = (x1 + x2) / 2
          return <path key={n.name} class="edge" d={`M${x1} ${y1} C${bend} ${y1} ${bend} ${y2} ${x2} ${y2}`} />
        })}
        <g transform={`translate(0, ${middle(rootY) - high / 2 - 2})`}>
          <rect class="root" width={root} height={high + 4} rx={8} />
          <text class="root" x={root / 2} y={20} text-anchor="middle">
            {model.caption}
          </text>
        </g>
        {nodes.map((n) => (
          <g key={n.name} transform={`translate(${left(n.depth)}, ${middle(n.row) - high / 2})`}>
            <rect width={wide(n)} height={high} rx={7} />
            <text x={14} y={17.5}>
              {n.caption}
            </text>
            <text class="count" x={wide(n) - 12} y={17.5} text-anchor="end">
              {n.fields}
            </text>
          </g>
        ))}
      </svg>
    </div>
  )
}
