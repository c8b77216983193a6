import type { ComparedRow } from './comparisons.ts'
import { bytes, duration, grouped, times } from './format.ts'
import type { Discovery, DiscoveryRow, FirstPrompt, PromptRow } from './measures/discovery.ts'
import { median } from './statistics.ts'

/** A target, and the measured value. */
export interface Aim {
  readonly title: string
  readonly limit: string
  readonly measured: string
  /** Undefined: it could not be measured, which counts as missed. */
  readonly met: boolean | undefined
}

/** What a run measured: the parts that it was asked for. Times in milliseconds, sizes in bytes. */
export interface Measured {
  readonly discoveries: readonly Discovery[]
  readonly prompt?: FirstPrompt
  readonly comparisons: readonly ComparedRow[]
}

/** A peer is correct if it returns at least this share of the descriptions that the `yaml` package reads. */
const CORRECT = 0.99

/** Returns the aims for what was measured. */
export function checkAims({ discoveries, prompt, comparisons }: Measured): readonly Aim[] {
  const [small] = discoveries
  const large = discoveries.at(-1)
  return [
    ...(small === undefined ? [] : speedAims(small)),
    ...discoveries.map(heapAim),
    ...(small === undefined || large === undefined || small === large ? [] : [growthAim(small, large)]),
    ...(prompt === undefined ? [] : [promptAim(prompt)]),
    ...comparisons.flatMap(comparisonAims),
  ]
}

function speedAims(tree: Discovery): readonly Aim[] {
  const own = ownRow(tree)
  const size = grouped(tree.skills)
  const peers = tree.rows.filter((row) => row.role === 'peer' && row.first !== undefined)
  return [
    ...(tree.skills === 1_000 ? [atMost('first scan of 1,000', 100, own?.first?.median, duration)] : []),
    atMost(`repeated scan of ${size}, over the floor`, 3, own?.repeatedOverFloor, times),
    atMost(`reload of ${size}, over the floor`, 3, own?.reloadOverFloor, times),
    ...(peers.length === 0
      ? []
      : [
          peerAim('first scan', 2, fastestCorrect(peers, tree, 'first'), own?.first?.median),
          peerAim('repeated scan', 4, fastestCorrect(peers, tree, 'repeated'), own?.repeated?.median),
          peerAim('reload', 4, fastestCorrect(peers, tree, 'repeated'), own?.reload?.median),
        ]),
  ]
}

interface Fastest {
  readonly title: string
  readonly time: number
}

function fastestCorrect(
  peers: readonly DiscoveryRow[],
  tree: Discovery,
  kind: 'first' | 'repeated',
): Fastest | undefined {
  const loaders = peers
    .filter((peer) => isCorrect(peer, tree))
    .map(({ title, ...row }) => ({ title, time: row[kind]?.median ?? Infinity }))
  return loaders.toSorted((one, other) => one.time - other.time)[0]
}

function peerAim(what: string, limit: number, fastest: Fastest | undefined, own: number | undefined): Aim {
  const title = `fastest correct peer's scan over our ${what}${named(fastest)}`
  const measured = fastest === undefined || own === undefined ? undefined : fastest.time / own
  return { title, limit: `≥ ${times(limit)}`, ...outcome(measured, times, (value) => value >= limit) }
}

function heapAim(tree: Discovery): Aim {
  return atMost(`heap kept per skill, of ${grouped(tree.skills)}`, 3_072, ownRow(tree)?.heapPerSkill, bytes)
}

/** A skill may cost little more among many than among few, compared with what it costs the floor. */
function growthAim(small: Discovery, large: Discovery): Aim {
  const [few, many] = [ownRow(small), ownRow(large)]
  const growths = (['firstOverFloor', 'repeatedOverFloor'] as const).map(
    (kind) => (many?.[kind] ?? Number.NaN) / (few?.[kind] ?? Number.NaN),
  )
  const title = `growth from ${grouped(small.skills)} to ${grouped(large.skills)}, over the floor's own`
  return atMost(title, 1.25, Math.max(...growths), times)
}

/** The ratio is taken in each round, because the machine may be slower in one round than in the next. */
function promptAim({ rows, readable }: FirstPrompt): Aim {
  const [fastest] = rows
    .filter((row) => row.role === 'peer' && isCorrect(row, { readable }))
    .toSorted((one, other) => medianOf(one) - medianOf(other))
  const own = rows.find(({ role }) => role === 'own')?.rounds ?? []
  const ratios = own.slice(0, fastest?.rounds?.length ?? 0).map((time, round) => time / fastest!.rounds![round]!)
  const title = `first prompt: import, scan and list over the fastest correct peer's${named(fastest)}`
  return atMost(title, 0.7, ratios.length === 0 ? undefined : median(ratios), times)
}

function medianOf({ taken }: PromptRow): number {
  return taken?.median ?? Infinity
}

function comparisonAims({ title, base = '', unit, limits, own, more, over }: ComparedRow): readonly Aim[] {
  const show = unit === 'bytes' ? bytes : duration
  return [
    ...(limits.own === undefined ? [] : [atMost(title, limits.own, own?.median, show)]),
    ...(limits.more === undefined ? [] : [atMost(`${title}, longer than ${base}`, limits.more, more?.median, show)]),
    ...(limits.over === undefined ? [] : [atMost(`${title}, over ${base}`, limits.over, over?.median, times)]),
  ]
}

function isCorrect({ correctness }: Pick<DiscoveryRow, 'correctness'>, { readable }: Pick<Discovery, 'readable'>) {
  return (correctness?.right ?? 0) >= CORRECT * readable
}

function ownRow({ rows }: Discovery): DiscoveryRow | undefined {
  return rows.find(({ role }) => role === 'own')
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
