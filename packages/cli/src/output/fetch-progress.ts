import type { FetchStep } from '@repertoire/library'
import type { Output } from './output.ts'
import { createStatusLine } from './progress.ts'
import { visibleName } from './text.ts'

/** A line that says what is being fetched. */
export interface FetchProgress {
  /** @param what what is asked now, as the user has written it */
  begin(what: string): void
  readonly step: (step: FetchStep) => void
  end(): void
}

/** Says on a terminal what is fetched and how far it is, and writes nothing anywhere else. */
export function createFetchProgress(output: Output): FetchProgress {
  let what = ''
  const show = createStatusLine(output)
  return {
    begin(given) {
      what = visibleName(given)
      show(`${what} …`)
    },
    step: (step) => show(`${what}: ${stepText(step)}`),
    end: () => show(''),
  }
}

function stepText({ kind, count, total }: FetchStep): string {
  const isBytes = kind === 'received'
  const done = [count, total].flatMap((number) =>
    number === undefined ? [] : isBytes ? `${Math.ceil(number / 1024)} KB` : String(number),
  )
  return `${kind} ${done.join(' of ')}`.trim()
}
