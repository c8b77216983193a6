import { padTo, wrap } from 'repertoire/terminal'
import { inWords } from './agreement.ts'
import type { Screen } from './lines.ts'

const TITLE_WIDTH = 9

/** What else there is to try. */
const NEXT = {
  scripted: [
    'Your own skills, task and model:',
    'npm run demo -- --skills DIR --base-url http://localhost:11434/v1 --model NAME "the task"',
  ],
  live: ['All that went over the wire, as data:', 'npm run -s demo -- … --json'],
} as const

const SUITE = [
  'Every check of the conformance suite, on every adapter:',
  'npm run -s repertoire -- conformance',
] as const

/** The first line: what this shows. It promises equal behaviour only where every adapter is sound. */
export function leadText(adapters: number, { width, paint }: Screen, isSound = true): string {
  const text =
    adapters === 1
      ? 'Repertoire: one task with Agent Skills. See what is listed, what is allowed, and what is refused.'
      : `Repertoire: one task with the same Agent Skills in ${inWords(adapters)} agent frameworks.${isSound ? ' Each lists, allows and refuses the same.' : ''}`
  return wrap(text, width).map(paint.bold).join('\n')
}

/** A title, and next to it a text of one or more lines. */
export function paragraph(title: string, text: string, { width, paint }: Screen): readonly string[] {
  return wrap(text, width - TITLE_WIDTH).map(
    (line, index) => paint.dim(padTo(index === 0 ? title : '', TITLE_WIDTH)) + line,
  )
}

/** What to try next. Commands are on separate lines, so that they can be copied. */
export function nextText(seen: keyof typeof NEXT, { paint }: Screen): string {
  return [
    paint.bold('Try next'),
    ...[NEXT[seen], SUITE].flatMap(([what, command]) => [`  ${what}`, `    ${paint.cyan(command)}`]),
  ].join('\n')
}
