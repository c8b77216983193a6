import { count, shorten, visible, visibleLine, wrap } from 'repertoire/terminal'
import type { Agreement, Difference } from '../compare.ts'
import type { AdapterRecord } from '../record.ts'
import { clip, type Screen } from './lines.ts'

/** Lines of one value that is not the same everywhere. */
const MAX_LINES = 4
const MAX_DIFFERENCES = 8

/**
 * Which adapters failed, and where they do not agree.
 * @param sentences what they agree on, shown if they agree
 */
export function agreementText(
  adapters: readonly AdapterRecord[],
  { agreed, differences }: Agreement,
  sentences: readonly string[],
  screen: Screen,
): string {
  const { width, paint } = screen
  const good = (line: string): string => paint.bold(paint.green(line))
  const bad = (line: string): string => paint.bold(paint.red(line))
  const hanging = (sign: string, text: string): readonly string[] =>
    wrap(text, width - 2).map((line, index) => `${index === 0 ? sign : ' '} ${line}`)
  const shown = differences.slice(0, MAX_DIFFERENCES)
  const rest = differences.length - shown.length
  return [
    ...adapters.flatMap(({ adapter, failure }) =>
      failure === undefined ? [] : hanging('✗', `${adapter} failed: ${visibleLine(failure)}`).map(bad),
    ),
    ...(agreed ? [] : [bad(`✗ The adapters do not agree: ${count(differences.length, 'difference')}.`)]),
    ...shown.flatMap((difference) => differenceLines(difference, screen)),
    ...(rest > 0 ? [paint.dim(`  and ${rest} more, which --json holds`)] : []),
    ...(agreed ? sentences.flatMap((sentence) => hanging('✓', sentence)).map(good) : []),
  ].join('\n')
}

/** `In all three …`, for runs that agree. */
export function runsSentence({ counts }: Agreement, adapters: number): string {
  const { requests, ran, refused, denied } = counts
  const no = [`${refused} were refused`, ...(denied > 0 ? [`${denied} denied`] : [])].join(' and ')
  if (adapters === 1) {
    return `The model was shown ${count(requests, 'request')}, ${count(ran, 'call')} ran, and ${no}. Without --adapter, all adapters are compared.`
  }
  return `In ${all(adapters)}, the model was shown the same ${count(requests, 'request')} word for word, the same ${count(ran, 'call')} ran, and the same ${no}.`
}

/** A small number as a word. */
export function inWords(number: number): string {
  return ['two', 'three', 'four', 'five', 'six', 'seven', 'eight'][number - 2] ?? String(number)
}

/** `all three`, `both`. */
export function all(adapters: number): string {
  return adapters === 2 ? 'both' : `all ${inWords(adapters)}`
}

/** How the files on disk were changed: `docs/intro.md changed, CHANGELOG.md new, 2 as they were`. */
export function filesSentence({ files = {} }: AdapterRecord, before: Readonly<Record<string, string>>): string {
  const old = new Map(Object.entries(before))
  const now = new Map(Object.entries(files))
  const changed = [...now].filter(([path, content]) => old.has(path) && old.get(path) !== content)
  const made = [...now.keys()].filter((path) => !old.has(path))
  const gone = [...old.keys()].filter((path) => !now.has(path))
  const kept = [...now].filter(([path, content]) => old.get(path) === content).map(([path]) => path)
  const parts = [
    ...changed.map(([path]) => `${path} changed`),
    ...made.map((path) => `${path} new`),
    ...gone.map((path) => `${path} gone`),
    ...(kept.length > 0 ? [`${kept.join(' and ')} as before`] : []),
  ]
  return parts.join(', ')
}

function differenceLines({ where, groups }: Difference, { width, paint }: Screen): readonly string[] {
  // A common beginning would fill the lines that should show the difference.
  const start = commonStart(groups.map(({ value = '' }) => value))
  return [
    `  ${shorten(visible(where), width - 2)}`,
    ...groups.flatMap(({ adapters, value }) => {
      const text = value === undefined ? 'nothing' : valueText(value, start)
      return clip(`${adapters.join(', ')}: ${text}`, width - 4, MAX_LINES).map((line) => paint.dim(`    ${line}`))
    }),
  ]
}

/** Where values begin to differ, minus a few characters of context. */
function commonStart(values: readonly string[]): number {
  const [one = '', ...others] = values
  let same = 0
  while (same < one.length && others.every((other) => other[same] === one[same])) same += 1
  return same > 60 ? same - 30 : 0
}

function valueText(value: string, start: number): string {
  const text = visible(value.slice(start).replace(/\s*\n\s*/g, ' ⏎ '))
  return text === '' ? '(empty)' : `${start > 0 ? '…' : ''}${text}`
}
