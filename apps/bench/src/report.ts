import type { Paint } from 'repertoire/terminal'
import type { Aim } from './aims.ts'
import type { Results } from './bench.ts'
import { COMPARED_PARTS, type ComparedPart, type ComparedRow } from './comparisons.ts'
import { bytes, duration, grouped, megabytes, percent, table, times } from './format.ts'
import type { Discovery, DiscoveryRow, FirstPrompt } from './measures/discovery.ts'
import type { Summary } from './statistics.ts'

const PART_TITLES: Readonly<Record<ComparedPart, string>> = {
  use: 'In use',
  search: 'Search',
  agents: 'A step of an agent',
  runners: 'A script that prints a line',
  stores: 'Skills on an engine',
  imports: 'Import',
}

/** Shows one tree. */
export function showDiscovery({ skills, readable, rows }: Discovery, paint: Paint): string {
  const head = [
    '',
    'first',
    'spread',
    '× floor',
    'again',
    'spread',
    '× floor',
    'heap/skill',
    'peak RSS',
    'skills',
    'right',
  ]
  const lines = rows.flatMap((row) => [discoveryCells(row, readable), ...reloadCells(row)])
  const title = `${grouped(skills)} skills, ${grouped(readable)} of them read by the yaml package`
  return section(title, head, lines, rows, paint)
}

function discoveryCells(row: DiscoveryRow, readable: number): string[] {
  const { title, first, repeated, firstOverFloor, repeatedOverFloor, heapPerSkill, peakRss, correctness } = row
  const beyondFloor = <T>(value: T | undefined, show: (value: T) => string) =>
    row.role === 'floor' ? '' : shown(value, show)
  return [
    title,
    time(first),
    spread(first),
    beyondFloor(firstOverFloor, times),
    time(repeated),
    spread(repeated),
    beyondFloor(repeatedOverFloor, times),
    beyondFloor(heapPerSkill, bytes),
    shown(peakRss, megabytes),
    beyondFloor(correctness?.found, grouped),
    beyondFloor(correctness?.right, (right) => percent(right, readable)),
  ]
}

function reloadCells({ title, reload, reloadOverFloor }: DiscoveryRow): string[][] {
  if (reload === undefined) return []
  return [[`${title}, reload`, '', '', '', time(reload), spread(reload), shown(reloadOverFloor, times)]]
}

/** Shows import, scan and first list. */
export function showPrompt(prompt: FirstPrompt | undefined, paint: Paint): string {
  if (prompt === undefined) return ''
  const { skills, readable, rows } = prompt
  const lines = rows.map(({ title, taken, correctness, characters }) => [
    title,
    time(taken),
    shown(correctness?.right, (right) => percent(right, readable)),
    shown(characters, grouped),
  ])
  const title = `First prompt: import, scan and list ${grouped(skills)} skills`
  return section(title, ['', 'taken', 'right', 'characters'], lines, rows, paint)
}

/** Shows ours and what it is compared with, part by part. */
export function showComparisons(rows: readonly ComparedRow[], paint: Paint): string {
  return COMPARED_PARTS.map((part) => {
    const ofPart = rows.filter((row) => row.part === part)
    if (ofPart.length === 0) return ''
    const lines = ofPart.map(({ title, base, unit, own, bare, more, over }) => [
      title,
      unit === 'bytes' ? shown(own?.median, bytes) : time(own),
      bare === undefined ? '' : time(bare),
      more === undefined ? '' : `${more.median < 0 ? '' : '+'}${time(more)}`,
      over === undefined ? '' : times(over.median),
      base ?? '',
    ])
    return section(PART_TITLES[part], ['', 'ours', 'other', 'more', 'ratio', 'the other is'], lines, ofPart, paint)
  }).join('')
}

/** Shows where and how it was measured, and warns if the machine was busy. */
export function showMachine({ machine, measured, seed }: Results): string {
  const { node, platform, processor, cores, load } = machine
  const code = measured === 'dist' ? 'the built packages (dist)' : 'the sources'
  return [
    `\nMeasured: ${code}, Node ${node}, ${platform}, ${cores} cores (${processor.trim()})`,
    `Load: ${load.map((each) => each.toFixed(1)).join(' before, ')} after. Page cache: warm. Seed: ${seed}`,
    ...(Math.max(...load) > cores
      ? ['The machine was busy: more processes were waiting than it has cores. Run this again when it is quiet.']
      : []),
    'Each number is a median over fresh processes that took turns. Trust the ratios, not the times.\n',
  ].join('\n')
}

/** Shows every aim with its figure. */
export function showAims(aims: readonly Aim[], paint: Paint): string {
  if (aims.length === 0) return ''
  const rows = aims.map(({ title, limit, measured, met }) => [title, limit, measured, verdict(met, paint)])
  const missed = aims.filter(({ met }) => met !== true).length
  const summary = missed === 0 ? `All ${aims.length} aims are met.` : `${missed} of ${aims.length} aims are not met.`
  return `${section('Aims', ['', 'aim', 'measured', ''], rows, [], paint)}  ${summary}\n`
}

function verdict(met: boolean | undefined, paint: Paint): string {
  if (met === undefined) return paint.yellow('not measured')
  return met ? paint.green('met') : paint.red('MISSED')
}

function section(
  title: string,
  head: readonly string[],
  lines: readonly (readonly string[])[],
  rows: readonly { readonly title: string; readonly absent?: string }[],
  paint: Paint,
): string {
  const absent = rows.flatMap((row) => (row.absent === undefined ? [] : [`  n/a: ${row.title}: ${row.absent}\n`]))
  return `\n${paint.bold(title)}\n${table(head, lines)}${absent.join('')}`
}

function time(value: Summary | undefined): string {
  return shown(value?.median, duration)
}

function spread(value: Summary | undefined): string {
  if (value === undefined) return 'n/a'
  return value.count === 1 ? 'one run' : `${duration(value.least)}–${duration(value.most)}`
}

function shown<T>(value: T | undefined, show: (value: T) => string): string {
  return value === undefined ? 'n/a' : show(value)
}
