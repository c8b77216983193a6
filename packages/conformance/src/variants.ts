import type { Check } from './check.ts'
import { type AdapterDriver, isPresent, isPresentIn, type Variant } from './driver.ts'
import type { LeftOut } from './report/report.ts'

/** The variants in which a check is run, and whether one of them is enough if it gives a verdict other than a failure. */
export interface ChosenVariants {
  readonly variants: readonly Variant[]
  readonly isOneEnough: boolean
}

/**
 * Chooses the variants of a check: all of them; or, with a seed, all of them for quick checks, and for the others the one
 * that the seed chooses. What the driver, rather than some of its variants, lists as known or absent is looked for in that
 * one first, and then in the others.
 */
export function chooseVariants(driver: AdapterDriver, check: Check, seed: number | undefined): ChosenVariants {
  const { variants, known = {}, capabilities } = driver
  const { id, needs = [], quick = false } = check
  if (seed === undefined || quick) return { variants, isOneEnough: false }
  const chosen = sampleOf(driver, seed)
  const capable = variants.filter((variant) => needs.every((each) => isPresentIn(driver, variant, each)))
  const first = capable.includes(chosen) ? chosen : (capable[0] ?? chosen)
  const isListed =
    Object.keys(known).some((key) => key === id || key.startsWith(`${id}/`)) ||
    needs.some((capability) => !isPresent(capabilities[capability]))
  const others = isListed || capable.length === 0 ? variants.filter((variant) => variant !== first) : []
  return { variants: [first, ...others], isOneEnough: true }
}

/** The variant of an adapter that a seed chooses. */
export function sampleOf({ variants }: AdapterDriver, seed: number): Variant {
  return variants[seed % variants.length]!
}

/**
 * Loads the packages of every variant, and returns the drivers with the variants whose packages are installed.
 * @throws {TypeError} if no variant of a driver is left
 */
export async function installedVariants(
  drivers: readonly AdapterDriver[],
): Promise<{ readonly drivers: readonly AdapterDriver[]; readonly leftOut: readonly LeftOut[] }> {
  const leftOut: LeftOut[] = []
  const usable: AdapterDriver[] = []
  for (const driver of drivers) {
    const variants: Variant[] = []
    const reasons = new Set<string>()
    for (const variant of driver.variants) {
      // One after the other: variants of one vendor share their package.
      const reason = await missingPackage(variant)
      if (reason === undefined) variants.push(variant)
      else leftOut.push({ adapter: driver.name, variant: variant.name, reason })
      if (reason !== undefined) reasons.add(reason)
    }
    const [first, ...others] = variants
    if (first === undefined) throw new TypeError(`No variant of "${driver.name}" can be run. ${[...reasons].join(' ')}`)
    usable.push({ ...driver, variants: [first, ...others] })
  }
  return { drivers: usable, leftOut }
}

async function missingPackage({ load }: Variant): Promise<string | undefined> {
  try {
    await load?.()
    return undefined
  } catch (error) {
    // Any other error is the package's own: the checks then fail with it.
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') return undefined
    const [, name] = /package '([^']+)'/.exec(error.message) ?? []
    return name === undefined
      ? error.message
      : `The package "${name}" is not installed. Run: npm install --save-dev ${name}`
  }
}
