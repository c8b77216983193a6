import { splitWords } from '../../disclosure/arguments.ts'
import { isObject, type Schema } from '@repertoire/skill-md/internal'

/**
 * Returns the parameters in a text that a model or a person has written: a JSON object; or words, for the parameters in
 * the order in which the skill names them. Where the skill names one that takes text, that is the whole text. Nothing
 * is judged here: what does not fit is left as it is written, and refused with its name.
 * @param schema the skill's `parameters`; absent: the text is the parameter `args`
 */
export function parametersFromText(schema: Schema | undefined, text = ''): unknown {
  const written = text.trim()
  if (written === '') return {}
  // Not words, even if it is not complete.
  if (written.startsWith('{')) return parseObject(written) ?? written
  if (schema === undefined) return { args: written }
  const properties = Object.entries(Object(schema['properties']) as Readonly<Record<string, unknown>>)
  if (properties.length === 1 && takesText(properties[0]![1])) return { [properties[0]![0]]: written }
  const words = splitWords(written)
  // More words than there are parameters: which of them belong together is not known.
  if (words.length > properties.length) return written
  return Object.fromEntries(words.map((word, index) => [properties[index]![0], valueOf(word, properties[index]![1])]))
}

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function takesText(schema: unknown): boolean {
  const type = isObject(schema) ? schema['type'] : undefined
  return type === undefined || [type].flat().includes('string')
}

/** A word as what its parameter takes, if it can be read as that. */
function valueOf(word: string, schema: unknown): unknown {
  if (takesText(schema)) return word
  try {
    return JSON.parse(word)
  } catch {
    return word
  }
}
