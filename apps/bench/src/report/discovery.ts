import type { Paint } from 'repertoire/terminal'
import type { Discovery, DiscoveryRow } from '../measures/discovery.ts'
import type { Summary } from '../statistics.ts'
import { grouped, kilobytes, megabytes, ms, percent, times } from './format.ts'
import { table } from './table.ts'

const HEAD = [
  '',
  'first ms',
  'spread',
  '× floor',
  'again ms',
  'spread',
  '× floor',
  'heap/skill',
  'peak RSS',
  'skills',
  'right',
]

/** One tree as a table. */
export function showDiscovery({ title, skills, readable, rows }: Discovery, paint: Paint): string {
  const heading = `${title}: ${grouped(skills)} folders, ${grouped(readable)} of them read by the yaml package`
  const absent = rows.filter((row) => row.absent !== undefined)
  return [
    `\n${paint.bold(heading)}\n`,
    table(
      HEAD,
      rows.map((row) => cells(row, readable)),
      paint.dim,
    ),
    ...absent.map((row) => `  n/a: ${row.title}: ${row.absent ?? ''}\n`),
  ].join('')
}

function cells(row: DiscoveryRow, readable: number): string[] {
  const { title, first, repeated, firstOverFloor, repeatedOverFloor, heapPerSkill, peakRss, correctness } = row
  const isFloor = row.role === 'floor'
  return [
    title,
    cell(first?.median, ms),
    cell(first, spread),
    isFloor ? '' : cell(firstOverFloor, times),
    cell(repeated?.median, ms),
    cell(repeated, spread),
    isFloor ? '' : cell(repeatedOverFloor, times),
    isFloor ? '' : cell(heapPerSkill, kilobytes),
    cell(peakRss, megabytes),
    isFloor ? '' : cell(correctness?.found, grouped),
    isFloor ? '' : cell(correctness, ({ right }) => percent(right, readable)),
  ]
}

function cell<T>(value: T | undefined, show: (value: T) => string): string {
  return value === undefined ? 'n/a' : show(value)
}

function spread({ least, most, count }: Summary): string {
  return count === 1 ? 'one run' : `${ms(least)}–${ms(most)}`
}
