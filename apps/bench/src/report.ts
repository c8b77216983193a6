import type { Paint } from 'repertoire/terminal'
import type { Aim } from './aims.ts'
import type { Results } from './bench.ts'
import { COMPARED_PARTS, type ComparedRow } from './comparisons.ts'
import { bytes, duration, grouped, inUnit, percent, table, times } from './format.ts'
import type { Correctness } from './measures/correctness.ts'
import type { Discovery, FirstPrompt } from './measures/discovery.ts'
import type { SystemRow } from './measures/system-tokens.ts'
import { ratio, type Summary } from './statistics.ts'

/** Shows all tables, where they were measured, and the aims. */
export function showResults(results: Results, paint: Paint): string {
  const { discoveries, prompt, systems, comparisons, aims } = results
  return [
    ...discoveries.map((discovery) => showDiscovery(discovery, paint)),
    ...(prompt === undefined ? [] : [showPrompt(prompt, paint)]),
    showComparisons(comparisons, paint),
    ...(systems === undefined ? [] : [showSystems(systems, paint)]),
    showMachine(results),
    showAims(aims, paint),
  ].join('')
}

function showDiscovery({ skills, rows }: Discovery, paint: Paint): string {
  const head = ['', 'first', 'spread', '× floor', 'again', 'spread', '× floor', 'heap/skill', 'skills', 'right']
  const floor = rows.find(({ role }) => role === 'floor')
  const lines = rows.flatMap(({ title, role, first, repeated, reload, heapPerSkill, correctness }) => {
    const scans = [title, ...figures(first, floor?.first), ...figures(repeated, floor?.repeated)]
    if (role === 'floor') return [scans]
    const line = [...scans, shown(heapPerSkill, bytes), shown(correctness?.found, grouped), rightShare(correctness)]
    const reloads = [`${title}, reload`, '', '', '', ...figures(reload, floor?.repeated)]
    return reload === undefined ? [line] : [line, reloads]
  })
  return section(`${grouped(skills)} skills`, head, lines, rows, paint)
}

function showPrompt({ skills, rows }: FirstPrompt, paint: Paint): string {
  const lines = rows.map(({ title, taken, correctness }) => [title, time(taken), rightShare(correctness)])
  const title = `First prompt: import, scan and list ${grouped(skills)} skills`
  return section(title, ['', 'taken', 'right'], lines, rows, paint)
}

/** Shows ours and what it is compared with, part by part. */
function showComparisons(rows: readonly ComparedRow[], paint: Paint): string {
  const head = ['', 'ours', 'other', 'more', 'ratio', 'the other is']
  return Object.entries(COMPARED_PARTS)
    .map(([part, partTitle]) => {
      const ofPart = rows.filter((row) => row.part === part)
      if (ofPart.length === 0) return ''
      const lines = ofPart.map(({ title, base = '', unit, own, bare, more, over }) => [
        title,
        shown(own?.median, inUnit(unit)),
        bare === undefined ? '' : shown(bare.median, inUnit(unit)),
        more === undefined ? '' : `${more.median < 0 ? '' : '+'}${shown(more.median, inUnit(unit))}`,
        over === undefined ? '' : times(over.median),
        base,
      ])
      return section(partTitle, head, lines, ofPart, paint)
    })
    .join('')
}

/** Shows what skills cost in each system. */
export function showSystems(rows: readonly SystemRow[], paint: Paint): string {
  const lines = rows.map(({ title, ten = Number.NaN, forty = Number.NaN }) => [
    title,
    ...[ten, forty, (forty - ten) / 30].map((tokens) => (Number.isNaN(tokens) ? 'n/a' : grouped(tokens))),
  ])
  return section(
    'Tokens that skills add to a request',
    ['', '10 skills', '40 skills', 'each further'],
    lines,
    rows,
    paint,
  )
}

/** Shows where and how it was measured, and warns if the machine was busy. */
function showMachine({ machine, measured, seed }: Results): string {
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

function figures(value: Summary | undefined, base: Summary | undefined): readonly string[] {
  return [time(value), spread(value), shown(ratio(value, base), times)]
}

function rightShare(correctness: Correctness | undefined): string {
  return shown(correctness, ({ right, readable }) => percent(right, readable))
}

function time(value: Summary | undefined): string {
  return shown(value?.median, duration)
}

function spread(value: Summary | undefined): string {
  if (value === undefined) return 'n/a'
  return value.samples.length === 1 ? 'one run' : `${duration(value.least)}–${duration(value.most)}`
}

function shown<T>(value: T | undefined, show: (value: T) => string): string {
  return value === undefined ? 'n/a' : show(value)
}
