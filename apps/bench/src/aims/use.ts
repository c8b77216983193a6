import type { Use } from '../measures/use.ts'
import type { Aim } from '../results.ts'
import { times } from '../report/format.ts'
import { atMost, milliseconds, ratioOf } from './judge.ts'

/** What a host does with skills that were found. */
export function useAims({ activation, readHashed, calls, steps }: Use): Aim[] {
  return [
    atMost('activation of a skill, the first of a process', 50, activation.first?.median, milliseconds),
    atMost(
      'activation over reading and hashing its folder',
      4,
      ratioOf(activation.steady?.median, readHashed.steady?.median),
      times,
    ),
    atMost('activation of a skill', 0.2, activation.steady?.median, milliseconds),
    atMost('a judged call of a tool with a path', 10, thousandfold(calls.path.steady?.median), microseconds),
    atMost('a judged command of a shell', 25, thousandfold(calls.shell.steady?.median), microseconds),
    ...steps.map(({ style, first, steady }) =>
      atMost(
        `the first step of a process over a later one, style ${style}`,
        15,
        first === undefined || steady === undefined ? undefined : first.median - steady.median,
        milliseconds,
      ),
    ),
  ]
}

function microseconds(value: number): string {
  return `${value.toFixed(1)} µs`
}

function thousandfold(value: number | undefined): number | undefined {
  return value === undefined ? undefined : 1_000 * value
}
