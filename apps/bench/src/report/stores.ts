import type { Paint } from 'repertoire/terminal'
import type { Pair, SessionRow, StoreRow } from '../measures/stores.ts'
import { grouped, kilobytes, megabytes, ms, times } from './format.ts'
import { table } from './table.ts'

/** Stores on engines beside the bare client, and their catalogs beside one of folders. */
export function showStores(rows: readonly StoreRow[] | undefined, paint: Paint): string {
  if (rows === undefined) return ''
  const measured = rows.flatMap(({ title, times: each }) => (each === undefined ? [] : [{ title, ...each }]))
  return [
    `\n${paint.bold('Skills on an engine, ms')}\n`,
    table(
      ['', 'ours', 'beside', '', ''],
      measured.flatMap(({ title, save, load, scan, activation }) => [
        row(`${title}: a save`, save, 'the bare client'),
        row(`${title}: loading all`, load, 'the bare client'),
        row(`${title}: the first scan`, scan, 'folders'),
        row(`${title}: an activation`, activation, 'folders'),
      ]),
      paint.dim,
    ),
    ...measured.map(
      ({ title, tenant, tenants, kept, opened, asked }) =>
        `  ${title}: ${grouped(tenants)} tenants of 50 skills, each opened when it is asked for: ${ms(tenant.median)} ms (to ${ms(tenant.most)}); ${megabytes(asked)} of ${megabytes(opened)} were asked for; ${megabytes(kept.all)} kept, ${kilobytes((kept.all - kept.half) / (tenants / 2))} for each of the second half\n`,
    ),
    ...rows.flatMap(({ title, absent }) => (absent === undefined ? [] : [`  n/a: ${title}: ${absent}\n`])),
  ].join('')
}

/** Stores of sessions beside what is under them. */
export function showSessions(rows: readonly SessionRow[] | undefined, paint: Paint): string {
  if (rows === undefined) return ''
  const measured = rows.flatMap(({ title, times: each }) => (each === undefined ? [] : [{ title, ...each }]))
  return [
    `\n${paint.bold('Sessions in a store, ms')}\n`,
    table(
      ['', 'ours', 'beside', '', ''],
      measured.flatMap(({ title, save, load, turn }) => [
        row(`${title}: a save`, save, 'the bare client'),
        row(`${title}: a load`, load, 'the bare client'),
        row(`${title}: a turn that activates a skill`, turn, 'a load and a save'),
      ]),
      paint.dim,
    ),
    ...rows.flatMap(({ title, absent }) => (absent === undefined ? [] : [`  n/a: ${title}: ${absent}\n`])),
  ].join('')
}

function row(title: string, { own, bare, over }: Pair, beside: string): string[] {
  return [title, ms(own.median), ms(bare.median), times(over), beside]
}
