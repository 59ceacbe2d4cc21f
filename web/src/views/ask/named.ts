// The names of a model in the language of a question.
import type { Model } from "../../server/models"

const han = /\p{Script=Han}/u

/** namedAs gives a model the names of the language of a sentence: to a Chinese one the first Chinese synonyms, where the captions are in none. */
export function namedAs(sentence: string, model: Model): Model {
  if (!han.test(sentence)) return model
  return {
    ...model,
    fields: model.fields.map((f) => ({ ...f, caption: chinese(f.caption, f.synonyms) })),
    dictionaries: Object.fromEntries(Object.entries(model.dictionaries).map(([name, codes]) => [name, codes.map((c) => ({ ...c, label: chinese(c.label ?? String(c.code), c.synonyms) }))])),
  }
}

function chinese(caption: string, synonyms: string[] = []): string {
  return han.test(caption) ? caption : synonyms.find((s) => han.test(s)) ?? caption
}
