import { equal } from "node:assert/strict"
import { test } from "node:test"
import { formatNumber, readNumber } from "../src/format"
import { Exact, parse } from "../src/server/exact"

const cases: [text: string, want: string][] = [
  ["12", "12"], ["-5", "-5"], ["\u22125", "-5"], [" 007.50 ", "7.50"], [".5", "0.5"], ["1e3", "1000"], ["１２", "12"],
  ["1,000", "1000"], ["10,000,000.00", "10000000"], ["-1,234.5", "-1234.5"], ["12,34,567", "1234567"], ["1 000", "1000"],
  ["9,223,372,036,854,775,807", "9223372036854775807"], ["9223372036854775807", "9223372036854775807"],
]
const wrong = ["", "-", "1,0", "1,00,0", ",000", "1,000,", "1,,000", "1.000,5", "12a", "0x10", "1e", "--1", "12%", "Infinity", "NaN"]

test("a number is read as readers write it, and a text that is none is not", () => {
  for (const [text, want] of cases) equal(Number(readNumber(text, "decimal")), Number(want), text)
  equal(String(readNumber("9,223,372,036,854,775,807", "bigint")), "9223372036854775807")
  for (const text of wrong) equal(readNumber(text, "decimal"), undefined, text)
  equal(readNumber("12.50 %", "percent"), 12.5)
})

test("what the table shows can be written into a filter", () => {
  for (const text of ["0", "-12", "1234567.89", "9007199254740993", "0.01"]) {
    for (const dataType of ["money", "percent", "decimal", "bigint"]) {
      if (dataType === "bigint" && text.includes(".")) continue
      const shown = formatNumber(parse(text) as number | Exact, { dataType, measure: true })
      equal(Number(readNumber(shown, dataType)), Number(text), `${shown} of ${dataType}`)
    }
  }
})
