import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import process from 'node:process'
import type { Jobs } from './child.ts'

/** How children are run. */
export interface ChildOptions {
  /** Measures this project's sources instead of its built packages. */
  readonly source: boolean
  /** In milliseconds. A job that takes longer fails. */
  readonly timeout: number
}

/** A child process ended without an answer. The message says why in one line. */
export class ChildFailure extends Error {
  override readonly name = 'ChildFailure'
}

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url))

/**
 * Runs a job in a fresh process, and returns its answer.
 * @throws {ChildFailure}
 */
export async function runChild<K extends keyof Jobs>(
  kind: K,
  input: Parameters<Jobs[K]>[0],
  { source, timeout }: ChildOptions,
): Promise<Awaited<ReturnType<Jobs[K]>>> {
  const flags = [
    ...(source ? ['--conditions=@repertoire/source'] : []),
    ...(['inspect', 'search'].includes(kind) ? ['--expose-gc'] : []),
    '--disable-warning=ExperimentalWarning',
  ]
  const child = spawn(process.execPath, [...flags, CHILD, JSON.stringify([kind, input])], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    // The Node options of this process do not apply to its children.
    env: { ...process.env, NODE_OPTIONS: '' },
    timeout,
    killSignal: 'SIGKILL',
  })
  const stop = (): void => void child.kill('SIGKILL')
  process.once('exit', stop)
  try {
    const [answer, errors, [code, signal]] = await Promise.all([
      text(child.stdio[3] as Readable),
      text(child.stdio[2] as Readable),
      once(child, 'close') as Promise<[code: number | null, signal: string | null]>,
    ])
    if (code === 0 && answer !== '') return JSON.parse(answer) as Awaited<ReturnType<Jobs[K]>>
    if (signal === 'SIGKILL') throw new ChildFailure(`took longer than ${timeout / 1000} s`)
    throw new ChildFailure(reasonOf(errors) ?? `ended with ${signal ?? `exit code ${code}`}`)
  } finally {
    process.off('exit', stop)
  }
}

/** What one participant answered in each round, from the first. */
export interface Turns<T> {
  readonly answers: readonly T[]
  /** Why there are no more answers. */
  readonly failure?: string
}

/** Lets each participant run once in every round, so that what else the machine does affects all of them. */
export async function takeTurns<K, T>(
  participants: readonly K[],
  rounds: number,
  run: (participant: K, round: number) => Promise<T>,
): Promise<ReadonlyMap<K, Turns<T>>> {
  const turns = new Map<K, { answers: T[]; failure?: string }>(participants.map((each) => [each, { answers: [] }]))
  for (let round = 0; round < rounds; round++) {
    // A position in a round can be an advantage, so each round begins with another participant.
    const first = round % Math.max(1, participants.length)
    for (const participant of [...participants.slice(first), ...participants.slice(0, first)]) {
      const turn = turns.get(participant)!
      if (turn.failure !== undefined) continue
      try {
        turn.answers.push(await run(participant, round))
      } catch (error) {
        if (!(error instanceof ChildFailure)) throw error
        turn.failure = error.message
      }
    }
  }
  return turns
}

function reasonOf(errors: string): string | undefined {
  const lines = errors.split('\n').map((line) => line.trim())
  return lines.find((line) => /^(?:\w*Error\b|Error)/.test(line)) ?? lines.find((line) => line !== '')
}
