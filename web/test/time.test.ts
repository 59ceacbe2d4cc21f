import { deepEqual, equal } from "node:assert/strict"
import { test } from "node:test"
import type { Payload } from "../src/query/payload"
import { isRange, readTime, shownRange, timeFields, writeTime, type TimeState } from "../src/query/time"
import { sales } from "./model"

function edit(p: Payload, more: Partial<TimeState>): Payload {
  return writeTime(p, sales, { ...(readTime(p, sales) as TimeState), ...more }, true)
}

const shipped = timeFields(sales).find((f) => f.name === "shipped")

test("a range, a grain, a comparison, and back", () => {
  const p: Payload = { columns: ["orders"] }
  const ranged = edit(p, { range: "last year" })
  deepEqual(ranged, { columns: ["orders"], slice: [{ field: "day$caption", op: "=", value: "last year" }] })
  const monthly = edit(ranged, { grain: "month" })
  deepEqual(monthly, { columns: ["day$yearMonth", "orders"], groupBy: ["day$yearMonth"], slice: ranged.slice })
  const compared = edit(monthly, { comparison: "yoy" })
  deepEqual(compared, { columns: ["orders"], timeWindow: { field: "day", grain: "month", comparison: "yoy", range: "last year" } })
  deepEqual(edit(compared, { comparison: undefined }), monthly)
  deepEqual(edit(monthly, { grain: undefined, range: undefined }), p)
})

test("an edit of time leaves other dates, columns and orders alone", () => {
  const p: Payload = {
    columns: ["day$year", "city$caption", "day$yearMonth", "amount"], groupBy: ["day$year", { field: "city$caption" }, "day$yearMonth"], orderBy: ["-amount", { field: "day$yearMonth", dir: "DESC" }],
    slice: [{ field: "city$caption", op: "=", value: "x" }, { field: "day$caption", op: "[)", value: ["2024-01-01", "2024-02-01"] }, { field: "day$caption", op: "=", value: "2024" }, { field: "shipped", op: "[]", value: ["2024-01-01", "2024-12-31"] }],
  }
  equal(shownRange(p, sales), 1)
  deepEqual(edit(p, { range: "2023" }), { ...p, slice: p.slice?.with(1, { field: "day$caption", op: "=", value: "2023" }) })
  deepEqual(edit(p, { range: undefined }), { ...p, slice: p.slice?.toSpliced(1, 1) })
  deepEqual(edit(p, { grain: "quarter" }), {
    ...p, columns: ["day$year", "city$caption", "day$yearQuarter", "amount"], groupBy: ["day$year", { field: "city$caption" }, "day$yearQuarter"], orderBy: ["-amount", { field: "day$yearQuarter", dir: "DESC" }],
  })
  deepEqual(edit(p, { grain: undefined }), { ...p, columns: ["day$year", "city$caption", "amount"], groupBy: ["day$year", { field: "city$caption" }], orderBy: ["-amount"] })
  deepEqual(edit(p, {}), p)
})

test("another date takes the range and the grain along", () => {
  const p: Payload = { columns: ["day$yearMonth", "orders"], groupBy: ["day$yearMonth"], slice: [{ field: "day$caption", op: "=", value: "2024" }, { field: "id", op: ">", value: 1 }] }
  deepEqual(edit(p, { field: shipped as TimeState["field"] }), { columns: ["shipped$month", "orders"], groupBy: ["shipped$month"], slice: [{ field: "shipped", op: "=", value: "2024" }, { field: "id", op: ">", value: 1 }] })
})

test("a comparison keeps what it compares and what else filters", () => {
  const p: Payload = { columns: ["city$caption", "amount"], groupBy: ["city$caption"], orderBy: ["-amount__diff"], slice: [{ field: "shipped", op: "=", value: "2024" }], timeWindow: { field: "day", grain: "month", comparison: "yoy", range: "2024", targetMetrics: ["amount"] } }
  deepEqual(edit(p, { grain: "year" }), { ...p, timeWindow: { field: "day", grain: "year", comparison: "yoy", range: "2024", targetMetrics: ["amount"] } })
  const { timeWindow: _w, orderBy: _o, ...rest } = p
  deepEqual(edit(p, { comparison: undefined }), { ...rest, columns: ["day$yearMonth", "city$caption", "amount"], groupBy: ["day$yearMonth", "city$caption"], slice: [...(p.slice ?? []), { field: "day$caption", op: "=", value: "2024" }] })
})

test("days that do not exist are no range of the editor, and nothing breaks", () => {
  const [day] = timeFields(sales)
  for (const value of [["2024-13-01", "2024-14-45"], ["2024-02-30", "2024-03-01"], ["2024-01-01"], ["2024-01-01", null], "x", [], ["0000-00-00", "9999-99-99"]]) {
    equal(day && isRange({ field: "day$caption", op: "[)", value }, day), false, JSON.stringify(value))
    const p: Payload = { columns: ["orders"], slice: [{ field: "day$caption", op: "[)", value }] }
    equal(shownRange(p, sales), -1)
    deepEqual(edit(p, { range: "2024" }).slice, [...(p.slice ?? []), { field: "day$caption", op: "=", value: "2024" }])
  }
  equal(day && isRange({ field: "day$caption", op: "[]", value: ["2024-02-29", "2024-03-01"] }, day), true)
})

test("a time of day is no day", () => {
  const field = (name: string, dataType: string) => ({ name, kind: "ATTRIBUTE" as const, dataType, caption: name })
  const model = { ...sales, fields: [field("at", "timestamp"), field("at$date", "date"), field("at$hour", "timestamp"), field("on", "date"), field("on$date", "date")] }
  deepEqual(timeFields(model).map((f) => [f.name, f.grains.day]), [["at", "at$date"], ["on", "on"]])
  deepEqual(readTime({ columns: ["at"] }, model)?.grain, undefined)
  deepEqual(readTime({ columns: ["at$date"] }, model)?.grain, "day")
})
