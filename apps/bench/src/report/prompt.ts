import type { Paint } from 'repertoire/terminal'
import type { FirstPrompt } from '../measures/first-prompt.ts'
import { grouped, ms, percent } from './format.ts'
import { table } from './table.ts'

/** Import, scan and first list. */
export function showPrompt(prompt: FirstPrompt | undefined, paint: Paint): string {
  if (prompt === undefined) return ''
  const { skills, readable, rows } = prompt
  const lines = rows.map(({ title, taken, plain, correctness, characters }) => [
    title,
    taken === undefined ? 'n/a' : ms(taken.median),
    plain === undefined ? '' : ms(plain.median),
    correctness === undefined ? '' : percent(correctness.right, readable),
    characters === undefined ? '' : grouped(characters),
  ])
  const absent = rows.filter((row) => row.absent !== undefined)
  return [
    `\n${paint.bold(`First prompt: import, scan and list ${grouped(skills)} skills, ms`)}\n`,
    table(['', 'taken', 'with a plain list', 'right', 'characters'], lines, paint.dim),
    ...absent.map(({ title, absent: why }) => `  n/a: ${title}: ${why ?? ''}\n`),
  ].join('')
}
