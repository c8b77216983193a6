/** What several fields share: reading a value, and the schema of it. */

import type { z } from 'zod'
import type { Field, FieldContext } from './field.ts'
import { quote } from '../text/escape.ts'
import { describeType, readText, type YamlMap, type YamlNode } from '../yaml/tree.ts'

type Zod = typeof z

/** Text that is not blank. */
export const filledText = (zod: Zod): z.ZodType => zod.string().regex(/\S/)

/** Text of at most so many code points, without blanks at the ends; zod counts code units. */
export function limitedText(zod: Zod, max: number, pattern = /\S/): z.ZodType {
  const isShort = (text: string): boolean => countCodePoints(text.trim()) <= max
  return zod.string().regex(pattern).refine(isShort).meta({ maxLength: max })
}

/** One text or a list of them, none blank. */
export function texts(zod: Zod, pattern = /\S/): z.ZodType {
  const text = zod.string().regex(pattern)
  return zod.union([text, zod.array(text)])
}

export function scalar(zod: Zod): z.ZodType {
  return zod.union([zod.string(), zod.number(), zod.boolean(), zod.null()])
}

/** Words: a list, or one string with commas between them. */
export function words(zod: Zod): z.ZodType {
  return zod.union([zod.string(), zod.array(scalar(zod))])
}

/** A mapping with known keys, each of which may be absent or have no value. */
export function mapping(zod: Zod, entries: Readonly<Record<string, z.ZodType>>): z.ZodType {
  return zod.strictObject(Object.fromEntries(Object.entries(entries).map(([key, part]) => [key, part.nullish()])))
}

/** Returns the number of code points in a text. */
export function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Returns an extension whose value is text that is not blank. Any other value is kept and ignored. */
export function textField(summary: string, isProse = false): Field {
  return {
    summary,
    schema: filledText,
    isProse,
    rule: (node, context) => readFilled(node) ?? foreign(context, node, 'text'),
  }
}

/** Returns an extension whose value is one of a few words. Any other value is kept and ignored. */
export function choiceField(summary: string, values: readonly string[]): Field {
  return {
    summary,
    schema: (zod) => zod.enum(values),
    rule: (node, context) => oneOf(values, node) ?? foreign(context, node, `one of ${values.join(', ')}`),
  }
}

/** Returns trimmed text; undefined if it is blank or not text. */
export function readFilled(node: YamlNode): string | undefined {
  return readText(node)?.trim() || undefined
}

export function oneOf(values: readonly string[], node: YamlNode): string | undefined {
  const text = readText(node)
  return values.find((value) => value === text)
}

/** Warns of a value that the field does not accept. Other clients may use the same name, so it is kept but ignored. */
export function foreign({ key, line, report }: FieldContext, node: YamlNode, expected: string): undefined {
  const message = `The field "${key}" is ${show(node)}, and ${expected} is expected.`
  return report.warning(node.kind === 'scalar' && readText(node) !== undefined ? 'FIELD_VALUE' : 'FIELD_TYPE', {
    line,
    message,
    hint: 'It is kept under "extra" and has no effect.',
  })
}

export function show(node: YamlNode): string {
  return node.kind === 'scalar' ? quote(node.source) : describeType(node)
}

/** Returns a hint on how to turn a value that YAML reads as another type into text. */
export function quoteHint(node: YamlNode): string {
  return node.kind === 'scalar' ? `If text is meant, put it in quotes: "${node.source}".` : 'Write text.'
}

/** Returns the value of a key; undefined if the key is absent or has no value. */
export function valueAt(map: YamlMap, key: string): YamlNode | undefined {
  const value = map.entries.find((entry) => entry.key === key)?.value
  return value?.kind === 'scalar' && value.value === null ? undefined : value
}

/** The strings, or the type and line of the first entry that is not one. */
type Strings = { readonly strings: readonly string[] } | { readonly wrong: string; readonly line: number }

/** Reads a string or a list of strings, none blank. An absent value is the empty list. */
export function readStrings(node: YamlNode | undefined): Strings {
  const strings: string[] = []
  for (const item of node === undefined ? [] : node.kind === 'list' ? node.items : [node]) {
    const text = readFilled(item)
    if (text === undefined) {
      return { wrong: readText(item) === undefined ? describeType(item) : 'empty text', line: item.line }
    }
    strings.push(text)
  }
  return { strings }
}

/** Returns the strings of a field, or reports an error: such a field must not be ignored. */
export function certainStrings(
  map: YamlMap,
  key: string,
  { key: field, report }: FieldContext,
): readonly string[] | undefined {
  const result = readStrings(valueAt(map, key))
  if ('strings' in result) return result.strings
  const message = `The field "${field}.${key}" holds ${result.wrong} where text belongs.`
  return report.error('FIELD_TYPE', { line: result.line, message, hint: 'Put each entry in quotes.' })
}

/** Reads words from a list, or from one string with commas. Numbers and booleans keep their spelling. */
export function readWords(node: YamlNode | undefined): readonly string[] | undefined {
  if (node === undefined) return []
  const read = node.kind === 'list' ? node.items.map(spelling) : readText(node)?.split(',')
  if (read?.includes(undefined) !== false) return undefined
  return read.map((word) => word!.trim()).filter((word) => word !== '')
}

function spelling(node: YamlNode): string | undefined {
  return node.kind === 'scalar' ? node.source : undefined
}

/** Returns the parts of a field that are not empty, for rendering; undefined if all are empty. */
export function filledParts(parts: Readonly<Record<string, readonly string[]>>): object | undefined {
  const filled = Object.entries(parts).filter(([, values]) => values.length > 0)
  return filled.length === 0 ? undefined : Object.fromEntries(filled)
}
