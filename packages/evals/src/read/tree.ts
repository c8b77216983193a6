import { isObject } from '@repertoire/skill-md/internal'
import { constructFromEvents, EVENT_ID, getScalarValue, parseEvents, SCALAR_STYLE, YAMLException } from 'js-yaml'
import { fileError } from '../error.ts'
import type { EvalCase } from '../eval-case.ts'

/** The fields of an object of a file. */
export type Fields = Readonly<Record<string, unknown>>

const JSON_WORD = /^(?:-?\d[\d.eE+-]*|true|false|null)$/

/** Reads JSON or YAML, and where each object begins. @throws {EvalError} EVAL_FILE_INVALID */
export function readTree(
  text: string,
  file: string,
): { readonly root: unknown; readonly placeOf: (object: unknown) => EvalCase['place'] } {
  const isJson = file.endsWith('.json')
  const breaks = [...text.matchAll(/\n/g)].map(({ index }) => index)
  const placeAt = (position: number) => ({ file, line: breaks.findLastIndex((each) => each < position) + 2 })
  try {
    // JSON is YAML, and its own reader knows no lines.
    const events = parseEvents(text, {})
    for (const event of isJson ? events : []) {
      if (event.type !== EVENT_ID.SCALAR || event.style !== SCALAR_STYLE.PLAIN) continue
      if (JSON_WORD.test(getScalarValue(text, event))) continue
      throw fileError(placeAt(event.valueStart), 'in JSON, text stands in double quotes. Add them, or remove the text')
    }
    const [root, ...others] = constructFromEvents(events, { source: text, maxAliases: 0 })
    if (others.length > 0) throw fileError({ file, line: 1 }, 'the file has several documents. Keep one')
    const starts = events.flatMap((event) => (event.type === EVENT_ID.MAPPING ? event.start : []))
    const at = new Map(objectsIn(root).map((object, index) => [object, starts[index]]))
    return { root, placeOf: (object) => placeAt(at.get(object) ?? 0) }
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const line = (error.mark?.line ?? 0) + 1
    throw fileError({ file, line }, `${error.reason}. Correct the ${isJson ? 'JSON' : 'YAML'}`)
  }
}

/** Returns the objects of a value, each before those inside it. */
function objectsIn(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(objectsIn)
  return isObject(value) ? [value, ...inner] : inner
}
