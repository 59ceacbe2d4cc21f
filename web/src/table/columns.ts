// What the columns of an answer are: their captions, how their cells look, and what kind of thing they hold.
import { isolate } from "../bidi"
import { fieldOf, type Model } from "../server/models"
import type { SchemaColumn } from "../query/answer"
import { isGrain, readColumn, type Payload } from "../query/payload"
import { isNumeric, isTime, type Shape } from "../format"
import { t } from "../words"

export interface ResultColumn {
  key: string
  caption: string
  shape: Shape
  field: string // the model's field behind it; "" where there is none
  names: string[] // by which an order may mean it
  unit: string
  temporal: boolean
  additive: boolean
  comparison: "" | "prior" | "diff" | "ratio" | "other"
}

const suffix = /^(.+)__(prior|diff|ratio|ytd|mtd|rolling_\d+d)$/

/** resultColumns describes the columns of an answer. */
export function resultColumns(columns: string[], schema: SchemaColumn[], payload: Payload, model: Model | undefined): ResultColumn[] {
  const written = new Map((payload.columns ?? []).map((c) => [readColumn(c).key, readColumn(c)]))
  return columns.map((key) => {
    const [, base = key, word = ""] = suffix.exec(key) ?? []
    const column = written.get(base)
    const field = fieldOf(model, column?.field ?? base)
    const typed = schema.find((s) => s.name === key)
    const dataType = typed?.dataType ?? field?.dataType ?? "string"
    const measure = isNumeric(dataType) && (!field || field.kind === "MEASURE" || column?.fn !== undefined)
    const plain = column && column.key === column.field
    const caption = (plain || (column?.fn && column.key === column.field) ? field?.caption : undefined) ?? typed?.caption ?? field?.caption ?? key
    return {
      key,
      caption: captionOf(key, base, word, field?.caption ?? caption, caption),
      shape: { dataType, measure, ...(word === "ratio" && { ratio: true }) },
      field: field?.name ?? "",
      names: column && !column.fn && base === key ? [key, column.field] : [key],
      unit: measure && word !== "ratio" ? (field?.unit ?? "") : "",
      temporal: key === "period" || isTime(dataType) || (!measure && isGrain(key)),
      additive: !field || field.additivity === undefined || field.additivity === "additive",
      comparison: word === "" ? "" : word === "prior" || word === "diff" || word === "ratio" ? word : "other",
    }
  })
}

function captionOf(key: string, base: string, word: string, field: string, caption: string): string {
  if (key === "period") return t("time.period")
  if (word === "prior" || word === "diff" || word === "ratio") return t(`time.${word}`, field)
  return base === key ? caption : `${isolate(field)} ${word.replace(/_/g, " ")}`
}
