import type { ComparedRow } from './comparisons.ts'
import { bytes, duration, grouped, inUnit, times } from './format.ts'
import type { Discovery, DiscoveryRow, FirstPrompt, PromptRow } from './measures/discovery.ts'
import type { SystemRow } from './measures/system-tokens.ts'
import { median, ratio, type Summary } from './statistics.ts'

/** A target, and the measured value. */
export interface Aim {
  readonly title: string
  readonly limit: string
  readonly measured: string
  /** Undefined: it could not be measured, which counts as missed. */
  readonly met: boolean | undefined
}

/** What a run measured: the parts that it was asked for. */
export interface Measured {
  readonly discoveries: readonly Discovery[]
  readonly prompt?: FirstPrompt
  readonly systems?: readonly SystemRow[]
  readonly comparisons: readonly ComparedRow[]
}

/** A peer is correct if it returns at least this share of the descriptions that the `yaml` package reads. */
const CORRECT = 0.99

/** Returns the aims for what was measured. */
export function checkAims({ discoveries, prompt, systems, comparisons }: Measured): readonly Aim[] {
  const [small, ...larger] = discoveries
  return [
    ...(small === undefined ? [] : speedAims(small)),
    ...discoveries.map(heapAim),
    ...larger.slice(-1).map((large) => growthAim(small!, large)),
    ...(prompt === undefined ? [] : [promptAim(prompt)]),
    ...comparisons.flatMap(comparisonAims),
    ...(systems === undefined ? [] : [systemsAim(systems)]),
  ]
}

function speedAims(tree: Discovery): readonly Aim[] {
  const own = rowOf(tree, 'own')
  const floor = rowOf(tree, 'floor')
  const size = grouped(tree.skills)
  return [
    ...(tree.skills === 1_000 ? [atMost('first scan of 1,000', 100, own?.first?.median, duration)] : []),
    atMost(`repeated scan of ${size}, over the floor`, 3, ratio(own?.repeated, floor?.repeated), times),
    atMost(`reload of ${size}, over the floor`, 3, ratio(own?.reload, floor?.repeated), times),
    ...(tree.rows.some(({ role }) => role === 'peer')
      ? [
          peerAim(tree, 'first scan', 2, 'first', own?.first),
          peerAim(tree, 'repeated scan', 4, 'repeated', own?.repeated),
          peerAim(tree, 'reload', 4, 'repeated', own?.reload),
        ]
      : []),
  ]
}

function peerAim({ rows }: Discovery, what: string, limit: number, kind: 'first' | 'repeated', own?: Summary): Aim {
  const fastest = fastestCorrect(rows, (row) => row[kind])
  const title = `fastest correct peer's scan over our ${what}${named(fastest)}`
  const isMet = (value: number): boolean => value >= limit
  return { title, limit: `≥ ${times(limit)}`, ...outcome(ratio(fastest?.[kind], own), times, isMet) }
}

/** Peers that failed do not count. */
function fastestCorrect<R extends DiscoveryRow | PromptRow>(
  rows: readonly R[],
  timeOf: (row: R) => Summary | undefined,
): R | undefined {
  const timed = (row: R): number => timeOf(row)?.median ?? Infinity
  return rows
    .filter((row) => row.role === 'peer' && timed(row) < Infinity && isCorrect(row))
    .toSorted((one, other) => timed(one) - timed(other))[0]
}

function isCorrect({ correctness }: DiscoveryRow | PromptRow): boolean {
  return correctness !== undefined && correctness.right >= CORRECT * correctness.readable
}

function heapAim(tree: Discovery): Aim {
  return atMost(`heap kept per skill, of ${grouped(tree.skills)}`, 3_072, rowOf(tree, 'own')?.heapPerSkill, bytes)
}

/** A skill may cost little more among many than among few, compared with what it costs the floor. */
function growthAim(small: Discovery, large: Discovery): Aim {
  const growths = (['first', 'repeated'] as const).map((kind) => {
    const overFloor = (tree: Discovery) => ratio(rowOf(tree, 'own')?.[kind], rowOf(tree, 'floor')?.[kind])
    return (overFloor(large) ?? Number.NaN) / (overFloor(small) ?? Number.NaN)
  })
  const title = `growth from ${grouped(small.skills)} to ${grouped(large.skills)}, over the floor's own`
  return atMost(title, 1.25, Math.max(...growths), times)
}

/** The ratio is taken in each round, because the machine may be slower in one round than in the next. */
function promptAim({ rows }: FirstPrompt): Aim {
  const fastest = fastestCorrect(rows, ({ taken }) => taken)
  const own = rows.find(({ role }) => role === 'own')?.taken
  const title = `first prompt: import, scan and list over the fastest correct peer's${named(fastest)}`
  const ratios = own?.samples.map((time, round) => time / (fastest?.taken?.samples[round] ?? Number.NaN))
  return atMost(title, 0.7, ratios && median(ratios), times)
}

/** Peers that failed do not count. */
function systemsAim(systems: readonly SystemRow[]): Aim {
  const [own] = systems.filter(({ role }) => role === 'own')
  const [leanest] = systems
    .filter(({ role, ten }) => role === 'peer' && ten !== undefined)
    .toSorted((one, other) => one.ten! - other.ten!)
  const title = `10 skills, over the peer with the fewest tokens${named(leanest)}`
  return atMost(title, 1, own?.ten && leanest?.ten && own.ten / leanest.ten, times)
}

function comparisonAims({ title, base = '', unit, limits, own, more, over }: ComparedRow): readonly Aim[] {
  const show = inUnit(unit)
  return [
    ...(limits.own === undefined ? [] : [atMost(title, limits.own, own?.median, show)]),
    ...(limits.more === undefined
      ? []
      : [
          atMost(
            `${title}, ${unit === undefined ? 'longer than' : 'more than'} ${base}`,
            limits.more,
            more?.median,
            show,
          ),
        ]),
    ...(limits.over === undefined ? [] : [atMost(`${title}, over ${base}`, limits.over, over?.median, times)]),
  ]
}

function rowOf({ rows }: Discovery, role: DiscoveryRow['role']): DiscoveryRow | undefined {
  return rows.find((row) => row.role === role)
}

function named(row: { readonly title: string } | undefined): string {
  return row === undefined ? '' : ` (${row.title})`
}

function atMost(title: string, limit: number, measured: number | undefined, show: (value: number) => string): Aim {
  return { title, limit: `≤ ${show(limit)}`, ...outcome(measured, show, (value) => value <= limit) }
}

function outcome(
  measured: number | undefined,
  show: (value: number) => string,
  isMet: (value: number) => boolean,
): Pick<Aim, 'measured' | 'met'> {
  if (measured === undefined || !Number.isFinite(measured)) return { measured: 'n/a', met: undefined }
  return { measured: show(measured), met: isMet(measured) }
}
