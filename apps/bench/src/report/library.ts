import type { Paint } from 'repertoire/terminal'
import type { LibraryRow } from '../measures/library.ts'
import { ms, times } from './format.ts'
import { table } from './table.ts'

/** What a store on files and a lock do, beside the least that does the same. */
export function showLibrary(rows: readonly LibraryRow[] | undefined, paint: Paint): string {
  if (rows === undefined) return ''
  const absent = rows.find((row) => row.absent !== undefined)
  return [
    `\n${paint.bold('The library, ms')}\n`,
    table(
      ['', 'ours', 'bare', ''],
      rows.map(({ title, bareTitle, own, bare, over }) => [
        title,
        own === undefined ? 'n/a' : ms(own.median),
        bare === undefined ? 'n/a' : ms(bare.median),
        over === undefined ? '' : `${times(over.median)} ${bareTitle}`,
      ]),
      paint.dim,
    ),
    absent === undefined ? '' : `  n/a: ${absent.absent ?? ''}\n`,
  ].join('')
}
