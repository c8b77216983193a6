import type { Paint } from 'repertoire/terminal'
import type { Aim } from '../results.ts'
import type { Discovery } from '../measures/discovery.ts'
import type { Repeated, Use } from '../measures/use.ts'
import type { Machine, Results } from '../results.ts'
import { grouped, ms, times } from './format.ts'
import { table } from './table.ts'

/** Where and how it was measured. */
export function showMachine({ machine, measured, seed }: Pick<Results, 'machine' | 'measured' | 'seed'>): string {
  const { node, platform, processor, cores, load } = machine satisfies Machine
  const code = measured === 'dist' ? 'the built packages (dist)' : 'the sources'
  return [
    `\nMeasured: ${code}, Node ${node}, ${platform}, ${cores} cores (${processor.trim()})`,
    `Load: ${load.map((each) => each.toFixed(1)).join(' before, ')} after. Page cache: warm. Seed: ${seed}`,
    ...(Math.max(...load) > cores
      ? ['The machine was busy with other things: more was waiting than it has cores. Run this again when it is quiet.']
      : []),
    'Each number is a median over fresh processes that took turns. Trust the ratios, not the milliseconds.\n',
  ].join('\n')
}

/** The modules that the first scan imports. */
export function showLate({ late }: Pick<Results, 'late'>, paint: Paint): string {
  if (late === undefined) return ''
  const { packages, modules, first, preloaded } = late
  const what = modules === 0 ? 'nothing' : `${modules} modules (${packages.join(', ')})`
  return `\n${paint.bold('Inside our first scan')}\n  It imports ${what}: ${ms(first)} ms as it is, ${ms(preloaded)} ms with these imported before.\n`
}

/** The cost per skill in a large tree, compared with the floor. */
export function showGrowth(discoveries: readonly Discovery[], paint: Paint): string {
  const trees = discoveries.filter(({ generated }) => generated)
  const [small] = trees
  if (small === undefined || trees.length < 2) return ''
  const rows = small.rows.flatMap(({ id, title }) => {
    const costs = trees.map(({ rows: each, skills }) => {
      const row = each.find((other) => other.id === id)
      return { first: perSkill(row?.first?.median, skills), repeated: perSkill(row?.repeated?.median, skills) }
    })
    const [base] = costs
    if (base === undefined || costs.slice(1).every(({ first }) => first === undefined)) return []
    return [
      [
        title,
        ...(['first', 'repeated'] as const).flatMap((kind) =>
          costs.map((cost, index) => {
            const value = cost[kind]
            if (value === undefined) return 'n/a'
            return index === 0 ? micros(value) : `${micros(value)} (${times(value / (base[kind] ?? Number.NaN))})`
          }),
        ),
      ],
    ]
  })
  const head = (kind: string): string[] => trees.map(({ skills }) => `${kind}, ${grouped(skills)}`)
  return `\n${paint.bold('A skill among many, µs')}\n${table(['', ...head('first'), ...head('again')], rows, paint.dim)}`
}

/** Activation, steps and reload. */
export function showUse(use: Use | undefined, paint: Paint): string {
  if (use === undefined) return ''
  const { activation, readHashed, readSync, readAsync, reload, calls, floor, steps, skills, sampled } = use
  const rows = [
    line(activation, ratioTo(activation, readHashed, 'reading and hashing')),
    line(readHashed, `${sampled} folders`),
    line(readSync, ratioTo(activation, readSync, 'this is an activation')),
    line(readAsync, ratioTo(activation, readAsync, 'this is an activation')),
    line(reload, ratioTo(reload, floor, 'the floor')),
    line(floor),
    line(calls.path, ratioTo(calls.path, calls.ungated, 'the call that nobody judges')),
    line(calls.shell, ratioTo(calls.shell, calls.ungated, 'the call that nobody judges')),
    line(calls.ungated),
    ...steps.map((step) => line(step, step.characters === undefined ? '' : `${grouped(step.characters)} characters`)),
  ]
  const absent = [activation, readHashed, readSync, readAsync, reload, floor, ...Object.values(calls), ...steps].filter(
    (each) => each.absent !== undefined,
  )
  return [
    `\n${paint.bold(`In use, ${grouped(skills)} skills, µs`)}\n`,
    table(['', 'first', 'steady', ''], rows, paint.dim),
    ...absent.map(({ title, absent: why }) => `  n/a: ${title}: ${why ?? ''}\n`),
  ].join('')
}

/** The cost of importing each entry point. */
export function showImports({ imports }: Pick<Results, 'imports'>, paint: Paint): string {
  if (imports === undefined) return ''
  const { bare, entries } = imports
  const rows = entries.map(({ name, whole, overBare, cachedOverBare }) => [
    name,
    whole === undefined ? 'n/a' : ms(whole.median),
    overBare === undefined ? 'n/a' : more(overBare),
    cachedOverBare === undefined ? '' : more(cachedOverBare),
  ])
  const absent = entries.filter((entry) => entry.absent !== undefined)
  return [
    `\n${paint.bold('Import, ms')}\n`,
    table(
      ['', 'process', 'over bare Node', 'with NODE_COMPILE_CACHE'],
      [['bare Node', ms(bare.median), '', ''], ...rows],
      paint.dim,
    ),
    ...absent.map(({ name, absent: why }) => `  n/a: ${name}: ${why ?? ''}\n`),
  ].join('')
}

function more(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`
}

/** Every aim with its figure, missed ones too. */
export function showAims(aims: readonly Aim[], paint: Paint): string {
  if (aims.length === 0) return ''
  const rows = aims.map(({ title, limit, measured, met }) => [title, limit, measured, verdict(met, paint)])
  const missed = aims.filter(({ met }) => met !== true).length
  const summary = missed === 0 ? `All ${aims.length} aims are met.` : `${missed} of ${aims.length} aims are not met.`
  return `\n${paint.bold('Aims')}\n${table(['', 'aim', 'measured', ''], rows, paint.dim)}  ${summary}\n`
}

function verdict(met: boolean | undefined, paint: Paint): string {
  if (met === undefined) return paint.yellow('not measured')
  return met ? paint.green('met') : paint.red('MISSED')
}

function ratioTo(each: Repeated, base: Repeated, what: string): string {
  if (each.steady === undefined || base.steady === undefined) return 'n/a'
  return `${times(each.steady.median / base.steady.median)} ${what}`
}

function line(each: Repeated, extra = ''): string[] {
  return [
    each.title,
    each.first === undefined ? 'n/a' : micros(1000 * each.first.median),
    each.steady === undefined ? 'n/a' : micros(1000 * each.steady.median),
    extra,
  ]
}

function perSkill(value: number | undefined, skills: number): number | undefined {
  return value === undefined ? undefined : (1000 * value) / skills
}

function micros(value: number): string {
  return value >= 100 ? grouped(value) : value.toFixed(1)
}
