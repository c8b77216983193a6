import type { Check } from './check.ts'
import { type AdapterDriver, isPresentIn, type Variant } from './driver.ts'
import type { LeftOut } from './report/report.ts'

/**
 * Chooses the variants of a check: all of them; or, with a seed, all of them for quick checks, and for the others the
 * one that the seed chooses, or the first that has what the check needs.
 */
export function chooseVariants(driver: AdapterDriver, check: Check, seed: number | undefined): readonly Variant[] {
  const { needs = [], quick = false } = check
  if (seed === undefined || quick) return driver.variants
  const chosen = sampleOf(driver, seed)
  const isCapable = (variant: Variant): boolean => needs.every((each) => isPresentIn(driver, variant, each))
  return [isCapable(chosen) ? chosen : (driver.variants.find(isCapable) ?? chosen)]
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
    for (const variant of driver.variants) {
      // One after the other: variants of one vendor share their package.
      const reason = await missingPackage(variant)
      if (reason === undefined) variants.push(variant)
      else leftOut.push({ adapter: driver.name, variant: variant.name, reason })
    }
    const [first, ...others] = variants
    if (first === undefined) throw new TypeError(`No variant of "${driver.name}" can be run. ${leftOut.at(-1)!.reason}`)
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
