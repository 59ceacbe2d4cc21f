import type { Field, Model } from "../src/server/models"

const field = (name: string, kind: Field["kind"], dataType: string, aggregation?: string): Field => ({ name, kind, dataType, caption: name, ...(aggregation && { aggregation }) })

/** A model of sales: two dates, two dimensions, measures that are sums, counts and ratios. */
export const sales: Model = {
  model: "Sales", caption: "Sales", description: "", namespace: "shop", key: ["id"], defaultOrder: [], dictionaries: {}, hierarchies: [], sampleValues: {}, examples: [],
  timeRange: { field: "day$caption", from: "2022-01-01", to: "2024-12-31" },
  fields: [
    field("id", "ATTRIBUTE", "bigint"),
    field("shipped", "ATTRIBUTE", "date"),
    field("shipped$month", "ATTRIBUTE", "string"),
    field("shipped$year", "ATTRIBUTE", "integer"),
    field("day$caption", "DIMENSION", "date"),
    field("day$year", "DIMENSION", "integer"),
    field("day$yearQuarter", "DIMENSION", "string"),
    field("day$yearMonth", "DIMENSION", "string"),
    field("brand$caption", "DIMENSION", "string"),
    field("city$caption", "DIMENSION", "string"),
    field("amount", "MEASURE", "money", "sum"),
    field("price", "MEASURE", "money", "avg"),
    field("orders", "MEASURE", "bigint", "count"),
  ],
}

export function named(name: string): Field {
  const found = sales.fields.find((f) => f.name === name)
  if (!found) throw new Error(name)
  return found
}
