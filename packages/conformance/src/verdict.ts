import type { Check } from './check.ts'
import { absentReason, type AdapterDriver, type Capabilities } from './driver.ts'
import type { Result, Status, VariantResult } from './report/report.ts'

type Verdict = readonly [status: Status, reason?: string]

/**
 * Decides the status of a check from its results in every variant and from what the driver declares. Declare or fail: a
 * capability that is not declared fails, one that is declared absent but works fails, and so does a known failure that
 * passes.
 */
export function verdict(driver: AdapterDriver, check: Check, variants: readonly VariantResult[]): Result {
  const { id, level, title } = check
  const [status, reason] = decide(driver, check, variants)
  const absent = status === 'pass' ? absentText(absentIn(driver, check)) : undefined
  const workaround = status === 'pass' ? workaroundOf(driver, check) : undefined
  return {
    adapter: driver.name,
    id,
    level,
    title,
    status,
    reason,
    absent,
    workaround,
    variants,
  }
}

/** How the adapter does what the check needs in the framework's place; undefined if the framework does it. */
function workaroundOf({ capabilities }: AdapterDriver, { needs = [] }: Check): string | undefined {
  const texts = needs.flatMap((capability) => {
    const declared = capabilities[capability]
    return declared !== true && 'workaround' in declared ? [`${capability}: ${declared.workaround}`] : []
  })
  return texts.length === 0 ? undefined : texts.join('\n')
}

function decide(driver: AdapterDriver, check: Check, variants: readonly VariantResult[]): Verdict {
  const { needs = [], id } = check
  const failed = failureText(variants)

  const undeclared = needs.filter((capability) => !Object.hasOwn(driver.capabilities, capability))
  if (undeclared.length > 0) return ['fail', undeclaredText(undeclared, failed)]

  const absent = needs.flatMap((capability) => {
    const why = absentReason(driver.capabilities[capability])
    return why === undefined ? [] : [{ capability, why }]
  })
  if (absent.length > 0) {
    if (failed !== undefined) return ['n/a', absent.map(({ capability, why }) => `${capability}: ${why}`).join('; ')]
    const lines = absent.map(({ capability }) => `\`${capability}: true,\``).join(' ')
    return [
      'fail',
      `Declared absent, and present after all: the check passes. Declare ${lines} in the driver's capabilities.`,
    ]
  }

  const known = reasonIn(driver.known, id)
  if (known !== undefined) {
    if (failed !== undefined) return ['known', known]
    return ['fail', `Listed as known ("${known}"), and passes. Remove "${id}" from the driver's \`known\`.`]
  }

  const without = new Map(absentIn(driver, check).map(({ variant, why }) => [variant, why]))
  const present = variants.filter(({ variant, passed }) => passed && without.has(variant))
  if (present.length > 0) {
    const where = present.map(({ variant }) => variant).join(' and ')
    return [
      'fail',
      `Declared absent in ${where}, and present after all: the check passes there. Remove it from the variant's \`absent\`.`,
    ]
  }
  const others = variants.filter(({ variant }) => !without.has(variant))
  if (variants.length > 0 && others.length === 0) return ['n/a', absentText(absentIn(driver, check)) ?? '']
  return decideByVariant(driver, id, others)
}

/** The variants that lack what a check needs, each with the reasons. */
function absentIn({ variants }: AdapterDriver, { needs = [] }: Check): readonly AbsentIn[] {
  return variants.flatMap(({ name, absent }) => {
    const why = needs.flatMap((capability) => {
      const reason = absent?.[capability]
      return reason === undefined ? [] : [`${capability}: ${reason}`]
    })
    return why.length === 0 ? [] : [{ variant: name, why: why.join('; ') }]
  })
}

interface AbsentIn {
  readonly variant: string
  readonly why: string
}

function absentText(absent: readonly AbsentIn[]): string | undefined {
  return failureText(absent.map(({ variant, why }) => ({ variant, passed: false, reason: why })))
}

/** Where only some variants are known to fail, these must fail and the others pass. */
function decideByVariant(
  { variants: declared }: AdapterDriver,
  id: string,
  variants: readonly VariantResult[],
): Verdict {
  const known = declared.flatMap((variant): VariantResult[] => {
    const reason = reasonIn(variant.known, id)
    return reason === undefined ? [] : [{ variant: variant.name, passed: false, reason }]
  })
  const names = new Set(known.map(({ variant }) => variant))
  const passing = variants.filter(({ variant, passed }) => passed && names.has(variant))
  if (passing.length > 0) {
    const where = passing.map(({ variant }) => variant).join(' and ')
    return ['fail', `Listed as known in ${where}, and passes there. Remove "${id}" from the variant's \`known\`.`]
  }
  const failed = failureText(variants.filter(({ variant }) => !names.has(variant)))
  if (failed !== undefined) return ['fail', failed]
  const reason = failureText(known)
  return reason === undefined ? ['pass'] : ['known', reason]
}

function reasonIn(known: AdapterDriver['known'], id: string): string | undefined {
  return known !== undefined && Object.hasOwn(known, id) ? known[id] : undefined
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

/** Returns `in json and sse: expected …`, a line for each reason. Undefined if every variant passed. */
function failureText(variants: readonly VariantResult[]): string | undefined {
  const byReason = new Map<string, string[]>()
  for (const { variant, passed, reason = '' } of variants) {
    if (!passed) byReason.set(reason, [...(byReason.get(reason) ?? []), variant])
  }
  if (byReason.size === 0) return undefined
  return [...byReason].map(([reason, names]) => `in ${names.join(' and ')}: ${reason}`).join('\n')
}
