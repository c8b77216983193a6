import type { Check } from './check.ts'
import { type AdapterDriver, isPresent, isPresentIn, type Variant } from './driver.ts'

/** Every variant of an adapter. */
export function everyVariant({ variants }: AdapterDriver): readonly Variant[] {
  return variants
}

/** One variant of each protocol and dialect, by turns; see `oneByTurns`. */
export function oneOfEachProtocol(driver: AdapterDriver, check: Check): readonly Variant[] {
  if (needsAll(driver, check)) return driver.variants
  const groups = Map.groupBy(
    capableVariants(driver, check),
    ({ protocol = 'openai', dialect }) => `${protocol} ${dialect?.name ?? ''}`,
  )
  const turn = turnOf(check.id)
  return [...groups.values()].map((variants) => variants[turn % variants.length]!)
}

/**
 * One variant. Which one depends on the ids of the check and of the adapter, so that all variants have their share of the
 * checks, and adapters side by side run a check in different ones. All of them, until one fails, if one failure decides:
 * for what the driver, rather than some of its variants, lists as known or absent. What needs a capability that only some variants
 * have runs in one of these.
 */
export function oneByTurns(driver: AdapterDriver, check: Check): readonly Variant[] {
  if (needsAll(driver, check)) return driver.variants
  const variants = capableVariants(driver, check)
  return [variants[turnOf(driver.name + check.id) % variants.length]!]
}

/** The variants that have what the check needs; all of them if none has. */
function capableVariants(driver: AdapterDriver, { needs = [] }: Check): readonly Variant[] {
  const capable = driver.variants.filter((variant) =>
    needs.every((capability) => isPresentIn(driver, variant, capability)),
  )
  return capable.length === 0 ? driver.variants : capable
}

function needsAll({ capabilities, known = {} }: AdapterDriver, { id, needs = [] }: Check): boolean {
  return Object.hasOwn(known, id) || needs.some((capability) => !isPresent(capabilities[capability]))
}

function turnOf(text: string): number {
  return Array.from(text, (character) => character.codePointAt(0)!).reduce((sum, code) => sum + code, 0)
}
