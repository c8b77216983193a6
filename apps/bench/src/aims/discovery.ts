import type { Discovery, DiscoveryRow } from '../measures/discovery.ts'
import type { Aim } from '../results.ts'
import { grouped, times } from '../report/format.ts'
import { atLeast, atMost, milliseconds, ratioOf } from './judge.ts'

/** A peer is correct if it returns at least this share of the descriptions that the `yaml` package reads. */
export const CORRECT = 0.99
const KILOBYTE = 1024
/** From here on, a contestant that only picks lines has no advantage left that a user would notice. */
const MANY = 10_000

/** What finding skills may cost: in time, beside the floor and beside peers, and in memory. */
export function discoveryAims(discoveries: readonly Discovery[]): Aim[] {
  const generated = discoveries.filter(({ generated: made }) => made)
  const [small] = generated
  const large = generated.at(-1)
  return [
    ...(small === undefined ? [] : [...speedAims(small), ...correctPeerAims(small)]),
    ...generated.flatMap((tree) => (tree.skills < MANY ? [] : incorrectPeerAim(tree))),
    ...generated.flatMap((tree) => [heapAim(tree), ...wholeHeapAim(tree)]),
    ...(small === undefined || large === undefined || small === large ? [] : [growthAim(small, large)]),
  ]
}

function speedAims(tree: Discovery): Aim[] {
  const own = ownRow(tree)
  return [
    ...(tree.skills === 1_000 ? [atMost('first scan of 1,000', 100, own?.first?.median, milliseconds)] : []),
    atMost(`repeated scan of ${grouped(tree.skills)}, over the floor`, 2.2, own?.repeatedOverFloor, times),
  ]
}

function correctPeerAims(tree: Discovery): Aim[] {
  const peers = peersOf(tree)
  if (peers.length === 0) return []
  const correct = peers.filter((peer) => isCorrect(peer, tree))
  return [['first', 2.5] as const, ['repeated', 6] as const].map(([kind, limit]) => {
    const fastest = fastestBy(correct, kind)
    const title = `fastest correct peer over ours, ${kind} scan${named(fastest)}`
    return atLeast(title, limit, ratio(fastest, ownRow(tree), kind))
  })
}

function incorrectPeerAim(tree: Discovery): Aim[] {
  const fastest = fastestBy(
    peersOf(tree).filter((peer) => !isCorrect(peer, tree)),
    'first',
  )
  if (fastest === undefined) return []
  const title = `fastest incorrect one over ours, first scan of ${grouped(tree.skills)}${named(fastest)}`
  return [atLeast(title, 1, ratio(fastest, ownRow(tree), 'first'))]
}

function peersOf({ rows }: Discovery): readonly DiscoveryRow[] {
  return rows.filter(({ role, first }) => role === 'peer' && first !== undefined)
}

function isCorrect({ correctness }: DiscoveryRow, { readable }: Discovery): boolean {
  return (correctness?.right ?? 0) >= CORRECT * readable
}

function heapAim(tree: Discovery): Aim {
  const title = `heap kept per skill, of ${grouped(tree.skills)}`
  return atMost(title, KILOBYTE, ownRow(tree)?.heapPerSkill, (value) => `${Math.round(value)} bytes`)
}

/** Of the tree that the requirement speaks of. */
function wholeHeapAim(tree: Discovery): Aim[] {
  if (tree.skills !== 1_000) return []
  const perSkill = ownRow(tree)?.heapPerSkill
  const whole = perSkill === undefined ? undefined : perSkill * tree.skills
  return [atMost('heap kept by the result of 1,000', 10e6, whole, (value) => `${(value / 1e6).toFixed(1)} MB`)]
}

/** Linear: a skill costs no more among many than among few, but for what it costs the floor. */
function growthAim(small: Discovery, large: Discovery): Aim {
  const title = `growth from ${grouped(small.skills)} to ${grouped(large.skills)}, beside the floor's own`
  const [few, many] = [ownRow(small), ownRow(large)]
  const growths = [
    ratioOf(many?.firstOverFloor, few?.firstOverFloor),
    ratioOf(many?.repeatedOverFloor, few?.repeatedOverFloor),
  ].filter((growth) => growth !== undefined)
  return atMost(title, 1.25, growths.length === 0 ? undefined : Math.max(...growths), times)
}

function ownRow({ rows }: Discovery): DiscoveryRow | undefined {
  return rows.find(({ role }) => role === 'own')
}

function fastestBy(rows: readonly DiscoveryRow[], kind: 'first' | 'repeated'): DiscoveryRow | undefined {
  return rows.toSorted((a, b) => (a[kind]?.median ?? Infinity) - (b[kind]?.median ?? Infinity))[0]
}

function ratio(row: DiscoveryRow | undefined, own: DiscoveryRow | undefined, kind: 'first' | 'repeated') {
  return ratioOf(row?.[kind]?.median, own?.[kind]?.median)
}

function named(row: DiscoveryRow | undefined): string {
  return row === undefined ? '' : ` (${row.title})`
}
