import type { Check } from './check.ts'
import { type AdapterDriver, isPresent, type Variant } from './driver.ts'

/** Every variant of an adapter. */
export function everyVariant({ variants }: AdapterDriver): readonly Variant[] {
  return variants
}

/** One variant of each protocol and dialect, by turns; see `oneByTurns`. */
export function oneOfEachProtocol(driver: AdapterDriver, check: Check): readonly Variant[] {
  if (needsAll(driver, check)) return driver.variants
  const groups = Map.groupBy(
    driver.variants,
    ({ protocol = 'openai', dialect }) => `${protocol} ${dialect?.name ?? ''}`,
  )
  const turn = turnOf(check.id)
  return [...groups.values()].map((variants) => variants[turn % variants.length]!)
}

/**
 * One variant. Which one depends on the ids of the check and of the adapter, so that all variants have their share of the
 * checks, and adapters side by side run a check in different ones. All of them where the verdict depends on which
 * variants fail: what is known to fail somewhere, and what needs a capability that is absent.
 */
export function oneByTurns(driver: AdapterDriver, check: Check): readonly Variant[] {
  if (needsAll(driver, check)) return driver.variants
  const { variants } = driver
  return [variants[turnOf(driver.name + check.id) % variants.length]!]
}

function needsAll(driver: AdapterDriver, { id, needs = [] }: Check): boolean {
  const isKnown = [driver, ...driver.variants].some(({ known }) => known !== undefined && Object.hasOwn(known, id))
  return isKnown || needs.some((capability) => !isPresent(driver.capabilities[capability]))
}

function turnOf(text: string): number {
  return Array.from(text, (character) => character.codePointAt(0)!).reduce((sum, code) => sum + code, 0)
}
