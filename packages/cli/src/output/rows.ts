import type { SkillDemands } from '@repertoire/core/authoring'
import type { Paint } from './output.ts'
import { padTo, visibleLine, visibleName } from './text.ts'

/** A label and what it says; undefined: the row is left out. */
export type Row = readonly [label: string, text: string | undefined]

/** Rows with their texts in one column. What is foreign in them is made visible. */
export function rowLines(rows: readonly Row[], paint: Paint, indent = '  '): readonly string[] {
  const shown = rows.flatMap(([label, text]) => (text === undefined ? [] : [[visibleLine(label), text] as const]))
  const width = Math.max(0, ...shown.map(([label]) => label.length))
  return shown.map(([label, text]) => `${indent}${padTo(paint.dim(label), width)}  ${visibleLine(text)}`)
}

/** Joins names with commas, at most `most` of them, and says how many more there are. Undefined: the list is empty. */
export function listText(values: readonly string[], most = Infinity): string | undefined {
  if (values.length === 0) return undefined
  const more = values.length > most ? ` and ${values.length - most} more` : ''
  return values.slice(0, most).map(visibleName).join(', ') + more
}

/** What a skill asks for, at most so many of each. */
export function demandRows(demands: SkillDemands, most?: number): readonly Row[] {
  const { allowedTools, unbounded, disallowedTools, scripts, hooks, toolsets } = demands
  const isOpen = allowedTools === undefined
  return [
    ['tools', isOpen ? 'any: it has no allowed-tools' : (listText(allowedTools, most) ?? 'none')],
    ['unbounded', unbounded ?? (isOpen ? 'any tool, with any input' : 'no rule')],
    ['not', listText(disallowedTools, most)],
    ['scripts', listText(scripts, most) ?? 'none'],
    ['hooks', listText(hooks, most)],
    ['own tools', listText(toolsets, most)],
  ]
}
