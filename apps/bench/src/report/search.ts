import type { Paint } from 'repertoire/terminal'
import type { SearchCost } from '../measures/search.ts'
import type { Summary } from '../statistics.ts'
import { grouped, ms } from './format.ts'
import { table } from './table.ts'

/** What our search costs, and what a library for it does. */
export function showSearch(search: SearchCost | undefined, paint: Paint): string {
  if (search === undefined) return ''
  const { skills, rows } = search
  const absent = rows.filter((row) => row.absent !== undefined)
  return [
    `\n${paint.bold(`Search, ${grouped(skills)} skills, ms`)}\n`,
    table(
      ['', 'first, with its index', 'a phrase', 'a word', 'bytes a skill'],
      rows.map(({ title, build, phrase, word, bytesPerSkill }) => [
        title,
        time(build),
        time(phrase),
        time(word),
        bytesPerSkill === undefined ? 'n/a' : grouped(Math.round(bytesPerSkill.median)),
      ]),
      paint.dim,
    ),
    ...absent.map(({ title, absent: why }) => `  n/a: ${title}: ${why ?? ''}\n`),
  ].join('')
}

function time(value: Summary | undefined): string {
  return value === undefined ? 'n/a' : ms(value.median)
}
