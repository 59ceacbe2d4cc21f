// The fields of a model as people look for them: measures, the model's own attributes, and each dimension with its fields.
import { matches } from "../parts/listbox"
import type { Field, Model } from "../server/models"
import { t } from "../words"

export interface FieldGroup {
  name: string // "" for measures and attributes
  caption: string
  kind: "measures" | "attributes" | "dimension"
  fields: Field[]
}

/** dimensionOf returns the dimension that a field belongs to: product.category of product.category$caption. */
export function dimensionOf(f: Field): string {
  return f.kind === "DIMENSION" ? f.name.slice(0, f.name.indexOf("$")) : ""
}

/** fieldGroups puts the fields of a model into groups; with a search only what matches is there. */
export function fieldGroups(model: Model, search = ""): FieldGroup[] {
  const measures: FieldGroup = { name: "", caption: t("models.measures"), kind: "measures", fields: [] }
  const own: FieldGroup = { name: "", caption: t("models.attributes"), kind: "attributes", fields: [] }
  const dimensions = new Map<string, FieldGroup>()
  for (const f of model.fields) {
    const name = dimensionOf(f)
    if (name && !dimensions.has(name)) dimensions.set(name, { name, caption: dimensionCaption(model, name), kind: "dimension", fields: [] })
    const group = f.kind === "MEASURE" ? measures : name ? (dimensions.get(name) as FieldGroup) : own
    if (matches(search, f.caption, f.name, f.description, ...(f.synonyms ?? []), group.kind === "dimension" ? group.caption : undefined)) group.fields.push(f)
  }
  return [measures, ...dimensions.values(), own].filter((g) => g.fields.length > 0)
}

/** isMinor says whether a field is one that few look for: an id, or the label of a code, which the page shows anyway. */
export function isMinor(f: Field): boolean {
  return (f.kind === "DIMENSION" && f.name.endsWith("$id")) || (f.dictionary !== undefined && f.name.endsWith("$caption"))
}

/** dimensionCaption is what people call a dimension. */
export function dimensionCaption(model: Model, name: string): string {
  return model.fields.find((f) => f.name === `${name}$caption`)?.caption ?? name
}
