import type { ResultColumn } from "../src/table/columns"

/** column is a column of an answer; a key unless it is said to be a measure. */
export function column(key: string, dataType: string, more: Partial<ResultColumn> = {}): ResultColumn {
  return { key, caption: key, shape: { dataType, measure: more.shape?.measure ?? false }, field: "", names: [], unit: "", temporal: false, additive: true, comparison: "", ...more }
}
