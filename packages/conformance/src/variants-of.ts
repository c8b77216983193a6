import type { AdapterDriver, Variant } from './driver.ts'
import type { LeftOut } from './report/report.ts'
import { everyVariant, oneByTurns, oneOfEachProtocol } from './variants.ts'

/** The variants that a check runs in, by the option `variants`. */
export const VARIANTS_OF = { all: everyVariant, 'each-protocol': oneOfEachProtocol, 'by-turns': oneByTurns }

/** Drivers with the variants whose packages are installed, and the names of the others. */
interface Installed {
  readonly drivers: readonly AdapterDriver[]
  readonly leftOut: readonly LeftOut[]
}

/**
 * Loads the packages of every variant.
 * @throws {TypeError} if no variant of a driver is left
 */
export async function installedVariants(drivers: readonly AdapterDriver[]): Promise<Installed> {
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
    if (first === undefined) {
      const reasons = new Set(leftOut.flatMap(({ adapter, reason }) => (adapter === driver.name ? [reason] : [])))
      throw new TypeError(`No variant of "${driver.name}" can be run. ${[...reasons].join(' ')}`)
    }
    usable.push(variants.length === driver.variants.length ? driver : { ...driver, variants: [first, ...others] })
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
