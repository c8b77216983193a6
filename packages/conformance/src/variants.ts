import type { Check } from './check.ts'
import { type AdapterDriver, isPresent, type Variant } from './driver.ts'

/** Every variant of an adapter. */
export function everyVariant({ variants }: AdapterDriver): readonly Variant[] {
  return variants
}

/**
 * One variant of each protocol and dialect. Which one depends on the check's id, so that all variants have their share
 * of the checks. All of them where the verdict depends on which variants fail: what is known to fail somewhere, and what
 * needs a capability that is absent.
 */
export function oneOfEachProtocol(driver: AdapterDriver, { id, needs = [] }: Check): readonly Variant[] {
  const isKnown = [driver, ...driver.variants].some(({ known }) => known !== undefined && Object.hasOwn(known, id))
  const isAbsent = needs.some((capability) => !isPresent(driver.capabilities[capability]))
  if (isKnown || isAbsent) return driver.variants

  const groups = Map.groupBy(
    driver.variants,
    ({ protocol = 'openai', dialect }) => `${protocol} ${dialect?.name ?? ''}`,
  )
  const turn = Array.from(id, (character) => character.codePointAt(0)!).reduce((sum, code) => sum + code, 0)
  return [...groups.values()].map((variants) => variants[turn % variants.length]!)
}
