import { type Check, isScenario } from './check.ts'
import { absentReason, type AdapterDriver, type Capabilities, type Variant } from './driver.ts'
import { ASPECTS } from './oracle/aspects.ts'
import type { AspectId } from './oracle/scenario.ts'
import type { Cell, Result, Status } from './report/report.ts'

/** What a check has found in a variant: nothing if the adapter is as core says. */
export interface Played {
  readonly variant: Variant
  readonly found: readonly Found[]
}

/** What is not as core says. `aspect`: the side of a scenario on which it was seen. */
export interface Found {
  readonly aspect?: AspectId
  readonly reason: string
}

/** What a driver lists as known to differ: a check, or one aspect of it; in one variant, or in all. */
interface Known {
  readonly key: string
  readonly reason: string
  readonly aspect: string | undefined
  readonly variant: string | undefined
}

/**
 * Decides the status of a check from what was found in each variant and from what the driver declares. Declare or fail: a
 * capability that is not declared fails, one that is declared absent but works fails, and so does a known difference that
 * is gone.
 */
export function verdict(driver: AdapterDriver, check: Check, played: readonly Played[]): Result {
  const { id, level, title, needs = [] } = check
  const known = [...knownOf(driver, id, played), ...knownOf(driver, '*', played)]
  const without = absentIn(played, needs)
  const judged = played.filter(({ variant }) => !without.has(variant.name))
  const left = played.map(({ variant, found }) => ({
    variant: variant.name,
    reasons: found.filter((each) => !isKnown(known, variant, each)).map(textOf),
  }))
  const [status, reason] = decide(driver, check, { played, judged, without, known, left })
  const wide = status === 'pass' ? known.filter((each) => isWide(each) && isMetIn(judged, each)) : []
  const absent = status === 'pass' && without.size > 0 ? textIn(without) : undefined
  return {
    adapter: driver.name,
    id,
    level,
    title,
    status,
    reason,
    absent,
    ...(wide.length > 0 && { differs: textOfKnown(wide) }),
    workaround: status === 'pass' ? workaroundOf(driver, needs) : undefined,
    variants: left.map(({ variant, reasons }) =>
      reasons.length === 0 ? { variant, passed: true } : { variant, passed: false, reason: reasons.join('\n') },
    ),
    ...(isScenario(check) && status !== 'n/a' && { cells: cellsOf(check.free, judged, known) }),
  }
}

interface Facts {
  readonly played: readonly Played[]
  /** Where the check is applicable. */
  readonly judged: readonly Played[]
  /** Why it is not applicable, by the variant. */
  readonly without: ReadonlyMap<string, string>
  readonly known: readonly Known[]
  /** What is not known, in each variant. */
  readonly left: readonly { readonly variant: string; readonly reasons: readonly string[] }[]
}

function decide(driver: AdapterDriver, { needs = [] }: Check, facts: Facts): readonly [Status, string?] {
  const { played, judged, without, known, left } = facts
  const fails = played.some(({ found }) => found.length > 0)
  const undeclared = needs.filter((capability) => !Object.hasOwn(driver.capabilities, capability))
  if (undeclared.length > 0) return ['fail', undeclaredText(undeclared, fails ? textIn(reasonsOf(left)) : undefined)]

  const absent = needs.flatMap((capability) => {
    const why = absentReason(driver.capabilities[capability])
    return why === undefined ? [] : [{ capability, why }]
  })
  if (absent.length > 0 && fails)
    return ['n/a', absent.map(({ capability, why }) => `${capability}: ${why}`).join('; ')]
  if (absent.length > 0) {
    const lines = absent.map(({ capability }) => `\`${capability}: true,\``).join(' ')
    return [
      'fail',
      `Declared absent, and present after all: the check passes. Declare ${lines} in the driver's capabilities.`,
    ]
  }
  const present = played.filter(({ variant, found }) => without.has(variant.name) && found.length === 0)
  if (present.length > 0) {
    const where = present.map(({ variant }) => variant.name).join(' and ')
    return ['fail', `Declared absent in ${where}, and present after all. Remove it from the variant's \`absent\`.`]
  }
  if (judged.length === 0) return ['n/a', textIn(without)]

  const reasons = reasonsOf(left.filter(({ variant }) => !without.has(variant)))
  if (reasons.size > 0) return ['fail', textIn(reasons)]
  const isMet = (each: Known): boolean => isMetIn(judged, each)
  const isJudged = ({ variant: of }: Known): boolean =>
    judged.some(({ variant }) => (of ?? variant.name) === variant.name)
  const outdated = known.filter((each) => !isWide(each) && isJudged(each) && !isMet(each))
  if (outdated.length > 0) return ['fail', outdated.map(outdatedText).join('\n')]
  const met = known.filter((each) => !isWide(each) && isMet(each))
  return met.length === 0 ? ['pass'] : ['known', textOfKnown(met)]
}

/** Whether it is known of all scenarios: it need not be met in each, and does not decide about one. */
function isWide({ key }: Known): boolean {
  return key.startsWith('*')
}

function textOfKnown(known: readonly Known[]): string {
  const texts = known.map(({ aspect, variant, reason }) => {
    const text = aspect === undefined ? reason : `${aspect}: ${reason}`
    return variant === undefined ? text : `in ${variant}: ${text}`
  })
  return [...new Set(texts)].join('\n')
}

function outdatedText({ key, variant }: Known): string {
  const where = variant === undefined ? '' : ` in ${variant}`
  return `Listed as known${where}, and is as core says. Remove "${key}" from \`known\`.`
}

function knownOf(driver: AdapterDriver, id: string, played: readonly Played[]): readonly Known[] {
  const listed = ({ known = {} }: Pick<Variant, 'known'>, variant: string | undefined): readonly Known[] =>
    Object.entries(known).flatMap(([key, reason]) => {
      const [of, aspect] = key.split('/')
      return of === id ? [{ key, reason, aspect, variant }] : []
    })
  return [...listed(driver, undefined), ...played.flatMap(({ variant }) => listed(variant, variant.name))]
}

/** Whether a known difference was met. */
function isMetIn(played: readonly Played[], known: Known): boolean {
  return played.some(({ variant, found }) => found.some((each) => covers(known, variant, each)))
}

function covers({ aspect, variant }: Known, of: Variant, found: Found): boolean {
  return (variant ?? of.name) === of.name && (aspect === undefined || aspect === found.aspect)
}

function isKnown(known: readonly Known[], variant: Variant, found: Found): boolean {
  return known.some((each) => covers(each, variant, found))
}

/** The aspects of a scenario, each by the worst that it was in a variant. */
function cellsOf(
  free: Readonly<Partial<Record<AspectId, string>>> = {},
  played: readonly Played[],
  known: readonly Known[],
): NonNullable<Result['cells']> {
  const cells = ASPECTS.map(({ id }): readonly [AspectId, Cell] => {
    if (Object.hasOwn(free, id)) return [id, 'free']
    const seen = played.flatMap(({ variant, found }) =>
      found.filter(({ aspect }) => aspect === id).map((each) => isKnown(known, variant, each)),
    )
    return [id, seen.includes(false) ? 'fail' : seen.includes(true) ? 'known' : 'pass']
  })
  return Object.fromEntries(cells)
}

/** Why variants lack what a check needs, by their names. */
function absentIn(played: readonly Played[], needs: readonly (keyof Capabilities)[]): ReadonlyMap<string, string> {
  const lacks = played.map(({ variant: { name, absent } }): readonly [string, string] => {
    const why = needs.flatMap((each) => (absent?.[each] === undefined ? [] : [`${each}: ${absent[each]}`]))
    return [name, why.join('; ')]
  })
  return new Map(lacks.filter(([, why]) => why !== ''))
}

/** How the adapter does what the check needs in the framework's place; undefined if the framework does it. */
function workaroundOf({ capabilities }: AdapterDriver, needs: readonly (keyof Capabilities)[]): string | undefined {
  const texts = needs.flatMap((capability) => {
    const declared = capabilities[capability]
    return declared !== true && 'workaround' in declared ? [`${capability}: ${declared.workaround}`] : []
  })
  return texts.length === 0 ? undefined : texts.join('\n')
}

/** Returns the lines to add, which depend on whether the check passes. */
function undeclaredText(capabilities: readonly (keyof Capabilities)[], failed: string | undefined): string {
  return capabilities
    .map((capability) => {
      const start = `The driver does not declare the capability "${capability}"`
      if (failed === undefined)
        return `${start}, and the check passes: add \`${capability}: true,\` to its capabilities.`
      return (
        `${start}. If the framework cannot do it, add \`${capability}: { absent: 'why not' },\` to its capabilities; ` +
        `if it can, add \`${capability}: true,\` and fix what fails: ${failed}`
      )
    })
    .join('\n')
}

function textOf({ aspect, reason }: Found): string {
  return aspect === undefined ? reason : `${aspect}: ${reason}`
}

function reasonsOf(left: Facts['left']): ReadonlyMap<string, string> {
  return new Map(left.flatMap(({ variant, reasons }) => (reasons.length === 0 ? [] : [[variant, reasons.join('\n')]])))
}

/** Returns `in json and sse: expected …`, a line for each reason. */
function textIn(reasons: ReadonlyMap<string, string>): string {
  const groups = Map.groupBy(reasons, ([, reason]) => reason)
  return [...groups].map(([reason, of]) => `in ${of.map(([variant]) => variant).join(' and ')}: ${reason}`).join('\n')
}
