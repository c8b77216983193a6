import type { ListingStyle } from '@repertoire/core'
import { join } from 'node:path'
import type { Answers, Job } from '../job.ts'
import type { CallKind } from './calls.ts'
import { ChildFailure, type ChildOptions, runChild } from '../run-child.ts'
import { type Summary, summarise } from '../statistics.ts'

/** Something that is done over and over in one process. Milliseconds. */
export interface Repeated {
  readonly title: string
  /** The first time in a fresh process. */
  readonly first?: Summary
  /** The steady value: the median of each process's second half. */
  readonly steady?: Summary
  readonly absent?: string
}

/** Activation, compared with reading the same folders. */
export interface Use {
  readonly skills: number
  /** How many folders were read and activated. */
  readonly sampled: number
  readonly activation: Repeated
  /** In the processes that activate, in turns with the activations. */
  readonly readHashed: Repeated
  readonly readSync: Repeated
  readonly readAsync: Repeated
  readonly reload: Repeated
  /** Calls of a host's tools under a policy of two rules, and one that nobody judges. */
  readonly calls: Readonly<Record<CallKind, Repeated>>
  /** The floor of a scan of the same tree. */
  readonly floor: Repeated
  /** One per style. `characters`: what a model is shown. */
  readonly steps: readonly (Repeated & { readonly style: ListingStyle; readonly characters?: number })[]
}

/** How long it may take. */
export interface UseOptions extends ChildOptions {
  readonly rounds: number
  readonly sample: number
  readonly styles: readonly ListingStyle[]
  /** Batches of calls that are timed in one process. */
  readonly batches: number
  readonly progress: (text: string) => void
}

/** Milliseconds for the floor's repeated scans in one process. */
const FLOOR_BUDGET = 300

/** The styles of listing, each of which is timed by itself. */
export const LISTING_STYLES: readonly ListingStyle[] = ['xml', 'section', 'tool', 'tools', 'matched']

/** Measures what a host does with skills that were found. Each in fresh processes, in turns. */
export async function measureUse(
  { root, skills }: { readonly root: string; readonly skills: number },
  options: UseOptions,
): Promise<Use> {
  const { styles, batches } = options
  const sample = join(root, '..', 'sample.json')
  const { count } = await runChild({ kind: 'sample', root, count: options.sample, sample }, options)
  const jobs = {
    activation: { kind: 'activate', root, sample },
    readSync: { kind: 'readFolders', sample, way: 'sync' },
    readAsync: { kind: 'readFolders', sample, way: 'promises' },
    reload: { kind: 'reload', root },
    path: { kind: 'calls', of: 'path', batches },
    shell: { kind: 'calls', of: 'shell', batches },
    ungated: { kind: 'calls', of: 'ungated', batches },
    floor: { kind: 'scan', contestant: 'floor', root, budget: FLOOR_BUDGET },
    ...Object.fromEntries(styles.map((style) => [style, { kind: 'steps', root, style }] as const)),
  } as const satisfies Readonly<Record<string, Job>>
  const answers = new Map<string, Timed[]>()
  const readings: Timed[] = []
  const failures = new Map<string, string>()
  for (let round = 0; round < options.rounds; round++) {
    for (const [id, job] of Object.entries<Job>(jobs)) {
      if (failures.has(id) || (round % 2 > 0 && !['activate', 'calls', 'readFolders'].includes(job.kind))) continue
      options.progress(`in use: round ${round + 1} of ${options.rounds}, ${id}`)
      try {
        const answer = await runChild(job, options)
        answers.set(id, [...(answers.get(id) ?? []), timed(answer)])
        if ('readings' in answer) readings.push({ times: answer.readings })
      } catch (error) {
        if (!(error instanceof ChildFailure)) throw error
        failures.set(id, error.message)
      }
    }
  }
  const repeated = (id: string, title: string, found = answers.get(id)): Repeated => {
    const absent = failures.get(id)
    return absent === undefined ? { title, ...settle(found ?? []) } : { title, absent }
  }
  return {
    skills,
    sampled: count,
    activation: repeated('activation', 'activate a skill, with consent'),
    readHashed: repeated('activation', 'list its folder, read and hash each file', readings),
    readSync: repeated('readSync', 'read its folder: readdirSync recursive, readFileSync'),
    readAsync: repeated('readAsync', 'read its folder: the same with fs.promises'),
    reload: repeated('reload', 'reload, nothing changed'),
    calls: {
      path: repeated('path', 'call a tool with a path, judged'),
      shell: repeated('shell', 'call a shell, judged'),
      ungated: repeated('ungated', 'call a tool, its input copied, nothing judged'),
    },
    floor: repeated('floor', 'the floor: read each known SKILL.md'),
    steps: styles.map((style) => {
      const [answer] = answers.get(style) ?? []
      return {
        style,
        ...repeated(style, `begin a step, style ${style}`),
        ...(answer?.characters !== undefined && { characters: answer.characters }),
      }
    }),
  }
}

type Timed = Pick<Answers['activate'], 'times'> & { readonly characters?: number }

function timed(answer: Answers[Job['kind']]): Timed {
  return 'repeated' in answer ? { times: [answer.first, ...answer.repeated] } : (answer as Timed)
}

function settle(answers: readonly Timed[]): Pick<Repeated, 'first' | 'steady'> {
  return {
    first: summarise(answers.map(({ times }) => times[0] ?? Number.NaN)),
    steady: summarise(answers.map(({ times }) => summarise(times.slice(times.length >> 1)).median)),
  }
}
