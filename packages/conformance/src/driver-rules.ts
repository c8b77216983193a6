import { nearestNames } from '@repertoire/core/stores'
import { ASPECTS } from './oracle/aspects.ts'
import type { AdapterDriver, Capabilities, Variant } from './driver.ts'
import { protocolOf } from './endpoint/protocols.ts'
import { show } from './failure.ts'

const CAPABILITIES: Readonly<Record<keyof Capabilities, true>> = {
  suspend: true,
  resume: true,
  abort: true,
  parallelCalls: true,
  hiding: true,
  continuation: true,
  compaction: true,
  approval: true,
  handoff: true,
}

const DRIVER: Readonly<Record<keyof AdapterDriver, true>> = {
  name: true,
  variants: true,
  capabilities: true,
  known: true,
  wire: true,
  handoffTool: true,
  start: true,
}

/** Longer lists of checks are not part of a message. */
const MAX_LISTED_CHECKS = 10

/**
 * Checks the shape of a driver, since it may be written in JavaScript.
 * @param checks every known check: those of this package, and those of the run
 * @throws {TypeError} naming the driver, the field and what to write there
 */
export function checkDriver(driver: AdapterDriver, checks: readonly { readonly id: string }[]): void {
  if (typeof driver.name !== 'string' || driver.name.trim() === '') throw new TypeError('A driver has no "name".')
  const at = `The driver "${driver.name}"`
  if (typeof driver.start !== 'function') throw new TypeError(`${at} has no "start", which sets an agent up.`)
  refuseUnknown(driver, DRIVER, at)
  checkVariants(driver, at)
  checkCapabilities(driver, at)
  const names = ['*', ...checks.map(({ id }) => id)]
  const ids = new Set([...names, ...ASPECTS.flatMap((aspect) => names.map((id) => `${id}/${aspect.id}`))])
  checkKnown(driver.known, at, ids)
  for (const { name, known, absent } of driver.variants) {
    const inVariant = `${at}, in its variant "${name}",`
    checkKnown(known, inVariant, ids)
    checkAbsent(absent, inVariant)
  }
}

/**
 * Returns what is chosen by id.
 * @param only the ids; absent: all
 * @param command lists all ids, for messages
 * @throws {TypeError} if there are none, two have one id, or an id is unknown
 */
export function chooseIds<T extends { readonly id: string }>(
  checks: readonly T[],
  only: readonly string[] | undefined,
  command?: string,
): readonly T[] {
  refuseDuplicates(
    'checks',
    checks.map(({ id }) => id),
  )
  const ids = new Set(checks.map(({ id }) => id))
  const unknown = only?.find((id) => !ids.has(id))
  if (unknown !== undefined) throw new TypeError(unknownCheckText(unknown, ids, command))
  const wanted = only === undefined ? ids : new Set(only)
  const chosen = checks.filter(({ id }) => wanted.has(id))
  if (chosen.length === 0) throw new TypeError('There is no check to run, and a run without one proves nothing.')
  return chosen
}

/** Says that there is no such check, and which ones may be meant. */
export function unknownCheckText(
  id: string,
  known: Iterable<string>,
  command = 'repertoire conformance --list',
): string {
  const all = [...known]
  if (all.length <= MAX_LISTED_CHECKS) return `There is no check "${id}". Known are: ${all.join(', ')}.`
  const [first, ...others] = nearestNames(id, all)
  const meant =
    first === undefined ? '' : ` Did you mean ${[first, ...others].map((each) => `"${each}"`).join(' or ')}?`
  return `There is no check "${id}".${meant} \`${command}\` lists all of them.`
}

/** @throws {TypeError} naming the first name that occurs twice */
export function refuseDuplicates(what: string, names: readonly string[]): void {
  const duplicate = names.find((name, index) => names.indexOf(name) !== index)
  if (duplicate !== undefined) throw new TypeError(`Two ${what} are named "${duplicate}". Give each its own name.`)
}

/** @throws {TypeError} naming the first field that is not known, and the nearest that is */
function refuseUnknown(given: object, known: Readonly<Record<string, true>>, at: string): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name))
  if (unknown === undefined) return
  const names = Object.keys(known)
  const [nearest] = nearestNames(unknown, names)
  const hint = nearest === undefined ? `Known are: ${names.join(', ')}.` : `Did you mean "${nearest}"?`
  throw new TypeError(`${at} has an unknown field "${unknown}". ${hint}`)
}

function checkKnown(known: AdapterDriver['known'], at: string, ids: ReadonlySet<string>): void {
  for (const [id, reason] of Object.entries(known ?? {})) {
    if (!ids.has(id))
      throw new TypeError(`${at} lists "${id}" as known, and no check has that id. Remove it, or correct the id.`)
    if (!isReason(reason)) throw new TypeError(`${at} lists "${id}" as known without a reason. Say why it fails.`)
  }
}

function checkAbsent(absent: Variant['absent'], at: string): void {
  for (const [capability, reason] of Object.entries(absent ?? {})) {
    checkCapabilityName(capability, at)
    if (!isReason(reason)) throw new TypeError(`${at} declares ${capability} absent without a reason. Say why it is.`)
  }
}

function checkCapabilityName(capability: string, at: string): void {
  if (Object.hasOwn(CAPABILITIES, capability)) return
  const known = Object.keys(CAPABILITIES).join(', ')
  throw new TypeError(`${at} declares "${capability}", which is not a capability. Known are: ${known}.`)
}

function checkVariants({ variants, name }: AdapterDriver, at: string): void {
  if (!Array.isArray(variants) || variants.length === 0) {
    throw new TypeError(`${at} has no variants. Give it at least one, such as { name: 'plain' }.`)
  }
  const names = variants.map((variant) => variant.name)
  if (names.some((each) => typeof each !== 'string' || each.trim() === '')) {
    throw new TypeError(`${at} has a variant without a name.`)
  }
  refuseDuplicates(`variants of "${name}"`, names)
  for (const variant of variants) {
    try {
      protocolOf(variant.protocol, variant.dialect)
    } catch (error) {
      const why = error instanceof Error ? error.message : show(error)
      throw new TypeError(`${at} has an invalid variant "${variant.name}": ${why}`, { cause: error })
    }
  }
}

function checkCapabilities({ capabilities }: AdapterDriver, at: string): void {
  if (typeof capabilities !== 'object' || capabilities === null) throw new TypeError(`${at} has no "capabilities".`)
  for (const [capability, declared] of Object.entries(capabilities)) {
    checkCapabilityName(capability, at)
    const { absent, workaround } = (declared ?? {}) as { readonly absent?: unknown; readonly workaround?: unknown }
    if (declared !== true && (isReason(absent) ? workaround !== undefined : !isReason(workaround))) {
      throw new TypeError(
        `${at} declares ${capability} as ${show(declared)}. Write true, { workaround: 'how' } or { absent: 'why not' }.`,
      )
    }
  }
}

function isReason(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}
