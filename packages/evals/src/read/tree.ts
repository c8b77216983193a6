import { isObject } from '@repertoire/skill-md/internal'
import { constructFromEvents, EVENT_ID, getScalarValue, parseEvents, SCALAR_STYLE, YAMLException } from 'js-yaml'

/** The fields of an object of a file. */
export type Fields = Readonly<Record<string, unknown>>

/** Why a file holds no cases. */
export class FormError extends Error {
  /** The object of the file that is wrong, or its line. */
  readonly at: Fields | number

  constructor(at: Fields | number, message: string) {
    super(message)
    this.at = at
  }
}

const JSON_WORD = /^(?:-?\d[\d.eE+-]*|true|false|null)$/

/** Reads JSON or YAML, and the line on which each object begins. @throws {FormError} */
export function readTree(
  text: string,
  isJson: boolean,
): { readonly root: unknown; readonly lines: ReadonlyMap<unknown, number> } {
  const lineAt = (position: number): number => text.slice(0, position).split('\n').length
  try {
    // JSON is YAML, and its own reader knows no lines.
    const events = parseEvents(text, {})
    for (const event of isJson ? events : []) {
      if (event.type !== EVENT_ID.SCALAR || event.style !== SCALAR_STYLE.PLAIN) continue
      if (JSON_WORD.test(getScalarValue(text, event))) continue
      throw new FormError(
        lineAt(event.valueStart),
        'in JSON, text stands in double quotes. Add them, or remove the text',
      )
    }
    const [root] = constructFromEvents(events, { source: text, maxAliases: 0 })
    const starts = events.flatMap((event) => (event.type === EVENT_ID.MAPPING ? event.start : []))
    return { root, lines: new Map(objectsIn(root).map((object, at) => [object, lineAt(starts[at] ?? 0)])) }
  } catch (error) {
    if (error instanceof YAMLException) throw new FormError((error.mark?.line ?? 0) + 1, error.reason)
    throw error
  }
}

/** Returns the objects of a value, each before those inside it. */
function objectsIn(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(objectsIn)
  return isObject(value) ? [value, ...inner] : inner
}
