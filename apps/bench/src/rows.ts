import { median } from './timing.ts'

/** What one process measured, by name: milliseconds, bytes, tokens or shares. */
export type Figures = Readonly<Record<string, number>>

/** The measurements of a part's jobs, by job name: one entry for each round, or why there are no entries. */
export type Measured = Readonly<Record<string, readonly Figures[] | string>>

/** The parts, in the order of the tables. Each is a file in `parts`, whose jobs run in that many processes each, over
 * trees with that many skills. */
export const PARTS = {
  scan: { title: 'Scan', rounds: 3, trees: [1_000, 100_000] },
  start: { title: 'Import, scan and first list of 1,000 skills', rounds: 3, trees: [1_000] },
  imports: { title: 'Import', rounds: 9 },
  use: { title: 'In use', rounds: 3, trees: [1_000] },
  search: { title: 'Search among 2,760 skills', rounds: 2, trees: [2_760] },
  steps: { title: 'A step of an agent', rounds: 3, trees: [100, 10_000] },
  tokens: { title: 'Tokens that skills add to a request', rounds: 1 },
  runners: { title: 'A script that prints a line', rounds: 2 },
  stores: { title: 'A save of a skill', rounds: 2 },
  inspector: { title: 'The inspector', rounds: 3 },
} as const
export type Part = keyof typeof PARTS

export type Unit = 'ms' | 'bytes' | 'tokens'

/** A promise about figures. */
export interface Row {
  readonly part: Part
  readonly name: string
  /**
   * A figure, `job.figure`, or ours over (`/`) or beyond (`-`) another one of the same round. `peer.figure` is that of
   * the peer with the smallest figure, among the peers that read correctly.
   */
  readonly of: string
  readonly unit: Unit
  /** At most this: in the unit, or with `/` as a ratio. */
  readonly aim: number
}

/** All promises. The file of a part says how its figures are measured. */
export const ROWS: readonly Row[] = [
  row('scan', 'first scan, over the floor', 'repertoire.first / floor.first', 7),
  row('scan', 'first scan, over the peer', 'repertoire.first / peer.first', 1 / 2.5),
  row('scan', 'repeated scan, over the floor', 'repertoire.again / floor.again', 2.5),
  row('scan', 'repeated scan, over the peer', 'repertoire.again / peer.again', 1 / 6),
  row('scan', 'reload, over the floor', 'repertoire.reload / floor.again', 2.5),
  row('scan', 'reload, over the peer', 'repertoire.reload / peer.again', 1 / 6),
  row('scan', 'heap for each skill', 'repertoire.heap', 2_048, 'bytes'),
  row('scan', 'first scan of 100,000, over the floor', 'repertoire of 100,000.first / floor of 100,000.first', 4.5),
  row('start', 'over the peer', 'repertoire.taken / peer.taken', 0.55),
  row('imports', 'core and core/node, over bare Node', 'core.taken - node.taken', 40),
  row('imports', 'core and ai-sdk, over ai', 'ai-sdk.taken / ai.taken', 1.2),
  row('use', 'a judged call with a path', 'calls.path', 0.025),
  row('use', 'a judged call of a shell', 'calls.shell', 0.05),
  row('use', 'what an audit without inputs adds to a call', 'calls.audited - calls.path', 0.03),
  row('use', 'activation of a skill of 13 files', 'activation.taken', 3),
  row('use', 'the first step of a process, over a later one', 'step.first - step.later', 10),
  row('search', 'a query', 'repertoire.query', 2),
  row('search', 'the index, for each skill', 'repertoire.index', 2_048, 'bytes'),
  row('steps', '100 skills, AI SDK', 'ai-sdk 100.own - ai-sdk 100.base', 0.35),
  row('steps', '10,000 skills, AI SDK', 'ai-sdk 10000.own - ai-sdk 10000.base', 0.35),
  row('steps', '100 skills, LangChain', 'langchain 100.own - langchain 100.base', 0.35),
  row('steps', '100 skills, Mastra', 'mastra 100.own - mastra 100.base', 0.35),
  row('steps', '100 skills, OpenAI Agents', 'openai-agents 100.own - openai-agents 100.base', 0.35),
  row('steps', '100 skills, our loop', 'react-loop 100.own - react-loop 100.base', 0.35),
  row('tokens', '10 skills, over the peer', 'repertoire.ten / peer.ten', 1, 'tokens'),
  row('tokens', 'each further skill, over the peer', 'repertoire.further / peer.further', 1, 'tokens'),
  row('tokens', 'an activation and its tools, over the body', 'activation.all - activation.body', 180, 'tokens'),
  row('runners', 'virtual, over just-bash', 'virtual.own / virtual.base', 1.5),
  row('runners', 'bubblewrap, over bwrap', 'bubblewrap.own / bubblewrap.base', 4),
  row('stores', 'PostgreSQL, over the bare client', 'postgres.own / postgres.base', 1.5),
  row('stores', 'Redis, over the bare client', 'redis.own / redis.base', 1.5),
  row('inspector', 'first screen of 100,000 events', 'page.taken', 1_000),
]

function row(part: Part, name: string, of: string, aim: number, unit: Unit = 'ms'): Row {
  return { part, name, of, unit, aim }
}

/** A row with what was measured. */
export interface Verdict extends Row {
  /** Ours, what it is compared with, and what the aim is about: medians over the rounds. */
  readonly measured?: { readonly own: number; readonly base?: number; readonly value: number }
  /** The peer that it is compared with. */
  readonly peer?: string
  readonly isMet: boolean
}

/** Judges the rows of a part. One that could not be measured is not met. */
export function judge(part: Part, measured: Measured): readonly Verdict[] {
  return ROWS.filter((each) => each.part === part).map((each) => judgeRow(each, measured))
}

function judgeRow(judged: Row, measured: Measured): Verdict {
  const [ownName = '', sign, baseName = ''] = judged.of.split(/ ([/-]) /)
  const own = samplesOf(ownName, measured)
  const peer = baseName.startsWith('peer.') ? bestPeer(baseName, measured) : undefined
  const base = samplesOf(peer === undefined ? baseName : baseName.replace('peer', peer), measured)
  if (own === undefined || (sign !== undefined && base === undefined)) return { ...judged, isMet: false }
  // In each round by itself, because the machine may be slower in one round than in the next.
  const values = own.map((sample, round) => {
    if (base === undefined) return sample
    return sign === '/' ? sample / base[round]! : sample - base[round]!
  })
  const value = median(values)
  return {
    ...judged,
    peer,
    measured: { own: median(own), base: base && median(base), value },
    isMet: value <= judged.aim,
  }
}

/** A peer reads correctly if it returns at least this share of the descriptions that the `yaml` package reads. */
const RIGHT = 0.99

function bestPeer(name: string, measured: Measured): string | undefined {
  const peers = Object.entries(measured).flatMap(([job, rounds]) => {
    const samples = samplesOf(name.replace('peer', job), measured)
    if (samples === undefined || typeof rounds === 'string') return []
    return rounds.every(({ peer, right = 1 }) => peer === 1 && right >= RIGHT) ? [{ job, value: median(samples) }] : []
  })
  return peers.toSorted((one, other) => one.value - other.value)[0]?.job
}

/** The figure `job.figure` in each round, if all rounds have it. */
function samplesOf(name: string, measured: Measured): readonly number[] | undefined {
  const [job = '', figure = ''] = name.split('.')
  const rounds = measured[job]
  if (rounds === undefined || typeof rounds === 'string') return undefined
  const samples = rounds.flatMap((figures) => figures[figure] ?? [])
  return samples.length === rounds.length && samples.length > 0 ? samples : undefined
}
