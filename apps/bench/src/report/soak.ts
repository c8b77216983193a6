import type { Paint } from 'repertoire/terminal'
import type { Sample, Soaked } from '../soak/sample.ts'
import { grouped } from './format.ts'

const HEADS = ['seconds', 'tasks', 'heap, MB', 'RSS, MB', 'descriptors', 'children', 'temporary']

/** A line of the table, which is printed while the soak runs. */
export function showSample(sample: Sample, paint: Paint, isFirst: boolean): string {
  const cells = [
    sample.at.toFixed(0),
    grouped(sample.tasks),
    (sample.heap / 1e6).toFixed(1),
    (sample.rss / 1e6).toFixed(0),
    sample.descriptors?.toString() ?? 'n/a',
    sample.children?.toString() ?? 'n/a',
    sample.temporary.toString(),
  ]
  const line = (texts: readonly string[]): string =>
    `  ${texts.map((text, index) => text.padStart(HEADS[index]?.length ?? 0)).join('  ')}\n`
  const head = `\n${paint.bold('Soak: what one process holds between tasks')}\n${paint.dim(line(HEADS))}`
  return `${isFirst ? head : ''}${line(cells)}`
}

/** How its tasks ended, and what was left when all was closed. */
export function showSoak(soaked: Soaked | undefined, paint: Paint): string {
  if (soaked === undefined) return ''
  const { ends, absent, closed } = soaked
  const counts = Object.entries(ends)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([end, count]) => `${end} ${grouped(count)}`)
  return [
    showSample(closed, paint, false).trimEnd(),
    '  after everything was closed\n',
    `  ${counts.join(', ')}\n`,
    ...Object.entries(absent).map(([name, why]) => `  n/a: ${name}: ${why}\n`),
  ].join('')
}
