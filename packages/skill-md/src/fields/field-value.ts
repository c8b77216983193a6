/** Functions that read values, shared by several fields. */

import type { Manifest } from '../ports/manifest.ts'
import { type Field, type FieldContext, FILLED } from './field.ts'
import { excerpt } from '../text/hidden.ts'
import { describeType, readText, type YamlMap, type YamlNode } from '../yaml/tree.ts'

/** Returns an extension whose value is text that is not blank. Any other value is kept and ignored. */
export function textField(
  property: keyof Manifest,
  summary: string,
  flags: Pick<Field, 'machineRead' | 'dispensable'>,
): Field {
  return {
    property,
    origin: 'extension',
    summary,
    shape: FILLED,
    empty: {},
    ...flags,
    rule(node, context) {
      const text = readFilled(node)
      return text === undefined ? foreign(context, node, 'text') : { [property]: text }
    },
  }
}

/** Returns trimmed text; undefined if it is blank or not text. */
export function readFilled(node: YamlNode): string | undefined {
  return readText(node)?.trim() || undefined
}

export function oneOf<T extends string>(values: readonly T[], node: YamlNode): T | undefined {
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
  return node.kind === 'scalar' ? excerpt(node.source) : describeType(node)
}

export function pick(map: YamlMap, keys: readonly string[]): ReadonlyMap<string, YamlNode> {
  return new Map(map.entries.filter(({ key }) => keys.includes(key)).map(({ key, value }) => [key, value]))
}

/** Whether a key has no value. */
function isNull(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.value === null
}

/** The strings, or the type and line of the first entry that is not one. */
type Strings = { readonly strings: readonly string[] } | { readonly wrong: string; readonly line: number }

/** Reads a string or a list of strings, none blank. An absent or empty value is the empty list. */
export function readStrings(node: YamlNode | undefined): Strings {
  if (node === undefined || isNull(node)) return { strings: [] }
  const strings: string[] = []
  for (const item of node.kind === 'list' ? node.items : [node]) {
    const text = readText(item)?.trim()
    if (text === undefined || text === '') {
      return { wrong: text === '' ? 'empty text' : describeType(item), line: item.line }
    }
    strings.push(text)
  }
  return { strings }
}

/** Reads words from a list, or from one string with commas. Numbers and booleans keep their spelling. */
export function readWords(node: YamlNode | undefined): readonly string[] | undefined {
  if (node === undefined || isNull(node)) return []
  const text = readText(node)
  const words = text === undefined ? spellings(node) : text.split(',')
  return words?.map((word) => word.trim()).filter((word) => word !== '')
}

function spellings(node: YamlNode): readonly string[] | undefined {
  if (node.kind !== 'list') return undefined
  const texts: string[] = []
  for (const item of node.items) {
    if (item.kind !== 'scalar') return undefined
    texts.push(item.source)
  }
  return texts
}

/** Returns the parts of a field that are not empty, for rendering; undefined if all are empty. */
export function filledParts(parts: Readonly<Record<string, readonly string[]>>): object | undefined {
  const filled = Object.entries(parts).filter(([, values]) => values.length > 0)
  return filled.length === 0 ? undefined : Object.fromEntries(filled)
}
