import type { Discovery, DiscoveryRow } from './measures/discovery.ts'
import type { Use } from './measures/use.ts'
import type { Aim, Results } from './results.ts'
import { grouped, ms, times } from './report/format.ts'

/** A peer is correct if it returns at least this share of the descriptions that the `yaml` package reads. */
const CORRECT = 0.99
const KILOBYTE = 1024

/** Returns the aims for what was measured. */
export function checkAims({ discoveries, use, imports }: Pick<Results, 'discoveries' | 'use' | 'imports'>): Aim[] {
  const generated = discoveries.filter(({ generated: made }) => made)
  const [small] = generated
  const large = generated.at(-1)
  return [
    ...(small === undefined ? [] : [...speedAims(small), ...peerAims(small)]),
    ...generated.flatMap((tree) => [heapAim(tree), ...wholeHeapAim(tree)]),
    ...(small === undefined || large === undefined || small === large ? [] : [growthAim(small, large)]),
    ...(use === undefined
      ? []
      : [
          atMost('activation of a skill, the first of a process', 50, use.activation.first?.median, milliseconds),
          atMost(
            'activation over reading and hashing its folder',
            1.15,
            ratioOf(use.activation.steady?.median, use.readHashed.steady?.median),
            times,
          ),
          atMost(
            'a judged call of a tool with a path, over one that nobody judges',
            6,
            overUngated(use, 'path'),
            times,
          ),
          atMost('a judged command of a shell, over a call that nobody judges', 16, overUngated(use, 'shell'), times),
        ]),
    ...(imports === undefined
      ? []
      : [
          atMost(
            'import of @repertoire/core over a bare start of Node',
            15,
            imports.entries.find(({ name }) => name === '@repertoire/core')?.overBare,
            (value) => `${value.toFixed(1)} ms`,
          ),
        ]),
  ]
}

function speedAims(tree: Discovery): Aim[] {
  const own = ownRow(tree)
  const where = `of ${grouped(tree.skills)}, over the floor`
  return [
    ...(tree.skills === 1_000 ? [atMost('first scan of 1,000', 100, own?.first?.median, milliseconds)] : []),
    atMost(`first scan ${where}`, 3, own?.firstOverFloor, times),
    atMost(`repeated scan ${where}`, 2.2, own?.repeatedOverFloor, times),
  ]
}

function peerAims(tree: Discovery): Aim[] {
  const own = ownRow(tree)
  const peers = tree.rows.filter(({ role, first }) => role === 'peer' && first !== undefined)
  if (peers.length === 0) return []
  const correct = peers.filter((peer) => (peer.correctness?.right ?? 0) >= CORRECT * tree.readable)
  const others = peers.filter((peer) => !correct.includes(peer))
  return (['first', 'repeated'] as const).flatMap((kind) => {
    const fastest = fastestBy(correct, kind)
    const fastestWrong = fastestBy(others, kind)
    return [
      atLeast(`fastest correct peer over ours, ${kind} scan${named(fastest)}`, 7, ratio(fastest, own, kind)),
      ...(fastestWrong === undefined
        ? []
        : [
            atLeast(
              `fastest incorrect one over ours, ${kind} scan${named(fastestWrong)}`,
              1,
              ratio(fastestWrong, own, kind),
            ),
          ]),
    ]
  })
}

function overUngated({ calls }: Use, kind: 'path' | 'shell'): number | undefined {
  return ratioOf(calls[kind].steady?.median, calls.ungated.steady?.median)
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

function milliseconds(value: number): string {
  return `${ms(value)} ms`
}

function atMost(title: string, limit: number, measured: number | undefined, show: (value: number) => string): Aim {
  return { title, limit: `≤ ${show(limit)}`, ...outcome(measured, show, (value) => value <= limit) }
}

function atLeast(title: string, limit: number, measured: number | undefined): Aim {
  return { title, limit: `≥ ${times(limit)}`, ...outcome(measured, times, (value) => value >= limit) }
}

function outcome(
  measured: number | undefined,
  show: (value: number) => string,
  isMet: (value: number) => boolean,
): Pick<Aim, 'measured' | 'met'> {
  if (measured === undefined || !Number.isFinite(measured)) return { measured: 'n/a', met: undefined }
  return { measured: show(measured), met: isMet(measured) }
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

function ratioOf(value: number | undefined, base: number | undefined): number | undefined {
  return value === undefined || base === undefined ? undefined : value / base
}

function named(row: DiscoveryRow | undefined): string {
  return row === undefined ? '' : ` (${row.title})`
}
