/** Readings of a value that several fields share. */

import type { FieldContext } from './field.ts'
import { quote } from '../hidden.ts'
import { describeType, readText } from '../yaml/tree.ts'
import type { YamlMap, YamlNode } from '../yaml/tree.ts'

/** Text that is not blank, without blanks at its ends. */
export function readFilled(node: YamlNode): string | undefined {
  return readText(node)?.trim() || undefined
}

export function oneOf<T extends string>(values: readonly T[], node: YamlNode): T | undefined {
  const text = readText(node)
  return values.find((value) => value === text)
}

/** A value that our field does not take. Other clients use some of the same names, so it is kept and not acted on. */
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

export function pick(map: YamlMap, keys: readonly string[]): ReadonlyMap<string, YamlNode> {
  return new Map(map.entries.filter(({ key }) => keys.includes(key)).map(({ key, value }) => [key, value]))
}

/** A value that nothing was written for. */
function isNothing(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.value === null
}

/** Strings, or where one that is none stands. */
type Strings = { readonly strings: readonly string[] } | { readonly wrong: string; readonly line: number }

/** A string or a list of strings, none blank; absent or without a value is the empty list. */
export function readStrings(node: YamlNode | undefined): Strings {
  if (node === undefined || isNothing(node)) return { strings: [] }
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

/** Words in a list, or in one string with commas between them. Numbers and booleans keep their spelling. */
export function readWords(node: YamlNode | undefined): readonly string[] | undefined {
  if (node === undefined || isNothing(node)) return []
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

/** The parts of a field that hold something, to be written; undefined where none does. */
export function filledParts(parts: Readonly<Record<string, readonly string[]>>): object | undefined {
  const filled = Object.entries(parts).filter(([, values]) => values.length > 0)
  return filled.length === 0 ? undefined : Object.fromEntries(filled)
}
