import type { CheckedScript } from '../commands/script-checks.ts'
import type { ScriptNeed } from '@repertoire/core'
import type { Paint } from './output.ts'
import { padTo, visible, visibleName, widthOf } from './text.ts'

/** One very long path must not push everything else out of sight. */
const MAX_PATH_COLUMNS = 40
/** Commands and modules of each kind that a line names. */
const MAX_NEEDS = 5

/** A line for each script: what it would be run by, or why it cannot be. */
export function scriptLines(scripts: readonly CheckedScript[], paint: Paint): readonly string[] {
  const paths = scripts.map(({ path }) => (path === undefined ? 'SKILL.md' : visibleName(path)))
  const width = Math.min(MAX_PATH_COLUMNS, Math.max(0, ...paths.map(widthOf)))
  return scripts.map(({ interpreter, runner, problem, missing = [], unknown = [] }, index) => {
    const path = padTo(paths[index]!, width)
    if (problem !== undefined) return `${paint.red('✗')} ${path}  ${visible(problem)}`
    const by = [interpreter, runner].filter((part) => part !== undefined).join(' in ')
    const needs = needsText(missing, unknown)
    const mark = missing.some(({ certain }) => certain) ? paint.yellow('!') : paint.green('✓')
    return `${mark} ${path}  ${paint.dim(by)}${needs === '' ? '' : `  ${needs}`}`
  })
}

/** What a script needs that is not there, on one line: what it uses for certain, what it may use, what is not known. Empty: nothing. */
export function needsText(missing: readonly ScriptNeed[], unknown: readonly number[]): string {
  const listed = (word: string, needs: readonly ScriptNeed[]): readonly string[] => {
    if (needs.length === 0) return []
    const shown = needs.slice(0, MAX_NEEDS).map(({ name, line }) => `${visibleName(name)} (line ${line})`)
    const more = needs.length > shown.length ? ` and ${needs.length - shown.length} more` : ''
    return [`${word} ${shown.join(', ')}${more}`]
  }
  return [
    ...listed(
      'lacks',
      missing.filter(({ certain }) => certain),
    ),
    ...listed(
      'may lack',
      missing.filter(({ certain }) => !certain),
    ),
    ...(unknown.length > 0
      ? [
          `not known: ${unknown.length === 1 ? 'line' : 'lines'} ${unknown.slice(0, MAX_NEEDS).join(', ')}${unknown.length > MAX_NEEDS ? ', …' : ''}`,
        ]
      : []),
  ].join('; ')
}
