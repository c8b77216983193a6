import type { Check } from './check.ts'
import { absentReason, type AdapterDriver, capabilitiesOf, type Variant } from './driver.ts'
import { ASPECTS } from './oracle/aspects.ts'
import type { AspectId } from './oracle/scenario.ts'
import type { Result } from './report/report.ts'

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

/** How a check did in one variant. */
interface Judged {
  readonly variant: string
  readonly status: 'pass' | 'fail' | 'known' | 'n/a'
  readonly reason?: string
  readonly workaround?: string
  readonly differs?: string
}

/**
 * Decides the status of a check: each variant is judged by what was found in it and by what is declared of it, and the
 * check fails if one of them fails, is known if one is known, and is not applicable if it is in none.
 */
export function verdict(driver: AdapterDriver, check: Check, played: readonly Played[]): Result {
  const judged = played.map((each) => judge(driver, check, each))
  const status = (['fail', 'known', 'pass'] as const).find((each) => judged.some((one) => one.status === each)) ?? 'n/a'
  const textOf = (wanted: Judged['status'], field: 'reason' | 'workaround' | 'differs' = 'reason') =>
    textIn(judged.map((each) => ({ variant: each.variant, text: each.status === wanted ? each[field] : undefined })))
  const applicable = played.filter((_, at) => judged[at]!.status !== 'n/a').flatMap(({ found }) => found)
  const aspects = ASPECTS.map(({ id }) => id).filter((id) => applicable.some(({ aspect }) => aspect === id))
  return {
    adapter: driver.name,
    id: check.id,
    level: check.level,
    title: check.title,
    status,
    reason: textOf(status),
    ...(status === 'pass' && {
      absent: textOf('n/a'),
      differs: textOf('pass', 'differs'),
      workaround: textOf('pass', 'workaround'),
    }),
    ...(aspects.length > 0 && { aspects }),
    variants: judged.map(({ variant }) => variant),
  }
}

/**
 * Declare or fail: a capability that is not declared fails, one that is declared absent but works fails, and so does a
 * known difference that is gone.
 */
function judge(driver: AdapterDriver, { id, needs = [] }: Check, { variant, found }: Played): Judged {
  const result = (status: Judged['status'], lines: readonly string[] = []): Judged => ({
    variant: variant.name,
    status,
    ...(lines.length > 0 && { reason: lines.join('\n') }),
  })
  const known = Object.entries({ ...driver.known, ...variant.known }).flatMap(([key, reason]) => {
    const [of, aspect] = key.split('/')
    const met = found.some((each) => aspect === undefined || aspect === each.aspect)
    return of === id || of === '*' ? [{ key, aspect, met, text: aspect ? `${aspect}: ${reason}` : reason }] : []
  })
  const left = found.filter((each) => known.every(({ aspect }) => aspect !== undefined && aspect !== each.aspect))
  // A run that fails is otherwise on every side, for one reason.
  const told = left[0]?.aspect === 'ended' ? left.slice(0, 1) : left
  const failures = told.map(({ aspect, reason }) => (aspect ? `${aspect}: ${reason}` : reason))

  const capabilities = capabilitiesOf(driver, variant)
  const undeclared = needs.filter((name) => capabilities[name] === undefined)
  if (undeclared.length > 0)
    return result(
      'fail',
      undeclared.map((name) => undeclaredText(name, failures)),
    )
  const absent = needs.filter((name) => absentReason(capabilities[name]) !== undefined)
  if (absent.length > 0 && found.length > 0)
    return result('n/a', [absent.map((name) => `${name}: ${absentReason(capabilities[name])}`).join('; ')])
  if (absent.length > 0) {
    const lines = absent.map((name) => `\`${name}: true,\``).join(' ')
    return result('fail', [`Declared absent, and present after all: the check passes. Declare ${lines}`])
  }
  if (failures.length > 0) return result('fail', failures)

  // What is known of all scenarios need not be met in each.
  const [wide, own] = [known.filter(({ key }) => key.startsWith('*')), known.filter(({ key }) => !key.startsWith('*'))]
  const outdated = own.filter(({ met }) => !met)
  if (outdated.length > 0)
    return result(
      'fail',
      outdated.map(
        ({ key }) =>
          `Listed as known, and is as core says. Remove "${key}" from \`known\`, or list it in the variants that differ.`,
      ),
    )
  if (own.length > 0)
    return result(
      'known',
      own.map(({ text }) => text),
    )
  const workarounds = needs.flatMap((name) => {
    const declared = capabilities[name]
    return typeof declared === 'object' && 'workaround' in declared ? [`${name}: ${declared.workaround}`] : []
  })
  const differing = wide.flatMap(({ met, text }) => (met ? [text] : []))
  return {
    ...result('pass'),
    ...(workarounds.length > 0 && { workaround: workarounds.join('\n') }),
    ...(differing.length > 0 && { differs: differing.join('\n') }),
  }
}

/** Returns the line to add, which depends on whether the check passes. */
function undeclaredText(capability: string, failures: readonly string[]): string {
  const start = `The driver does not declare the capability "${capability}"`
  if (failures.length === 0) return `${start}, and the check passes: add \`${capability}: true,\` to its capabilities.`
  return `${start}. If the framework cannot do it, add \`${capability}: { absent: 'why not' },\` to its capabilities; if it can, add \`${capability}: true,\` and fix what fails: ${failures.join('\n')}`
}

/** Returns `in json and sse: expected …`, a line for each text; without the names if it is the text of all variants. */
function textIn(texts: readonly { readonly variant: string; readonly text: string | undefined }[]): string | undefined {
  const lines = [...Map.groupBy(texts, ({ text }) => text)].flatMap(([text, of]) => {
    if (text === undefined) return []
    return of.length === texts.length ? [text] : [`in ${of.map(({ variant }) => variant).join(' and ')}: ${text}`]
  })
  return lines.length === 0 ? undefined : lines.join('\n')
}
