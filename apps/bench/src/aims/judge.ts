import type { Aim } from '../results.ts'
import { ms, times } from '../report/format.ts'

type Show = (value: number) => string

export function atMost(title: string, limit: number, measured: number | undefined, show: Show): Aim {
  return { title, limit: `≤ ${show(limit)}`, ...outcome(measured, show, (value) => value <= limit) }
}

export function atLeast(title: string, limit: number, measured: number | undefined): Aim {
  return { title, limit: `≥ ${times(limit)}`, ...outcome(measured, times, (value) => value >= limit) }
}

export function milliseconds(value: number): string {
  return `${ms(value)} ms`
}

export function ratioOf(value: number | undefined, base: number | undefined): number | undefined {
  return value === undefined || base === undefined ? undefined : value / base
}

function outcome(
  measured: number | undefined,
  show: Show,
  isMet: (value: number) => boolean,
): Pick<Aim, 'measured' | 'met'> {
  if (measured === undefined || !Number.isFinite(measured)) return { measured: 'n/a', met: undefined }
  return { measured: show(measured), met: isMet(measured) }
}
