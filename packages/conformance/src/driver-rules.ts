import {
  callable,
  checkOptions,
  either,
  foreign,
  listOf,
  oneOf,
  type OptionTable,
  recordOf,
  required,
  tableOf,
  text,
} from '@repertoire/core/options'
import { nearestNames } from '@repertoire/core/stores'
import { ASPECTS } from './oracle/aspects.ts'
import type { AdapterDriver, Capabilities, Variant } from './driver.ts'
import { protocolOf } from './endpoint/protocols.ts'

const CAPABILITIES = [
  'suspend',
  'resume',
  'abort',
  'parallelCalls',
  'hiding',
  'continuation',
  'compaction',
  'approval',
  'output',
  'handoff',
] as const satisfies readonly (keyof Capabilities)[]

const reason = foreign('a reason in words', (value) => typeof value === 'string' && value.trim() !== '')
const capability = either(
  foreign('true', (value) => value === true),
  tableOf<{ workaround: string }>({ workaround: required(reason) }),
  tableOf<{ absent: string }>({ absent: required(reason) }),
)
const capabilities = tableOf<Partial<Capabilities>>(
  Object.fromEntries(CAPABILITIES.map((name) => [name, capability])) as never,
)
const known = recordOf(reason, 'an object with the reason for each id')

const VARIANT: OptionTable<Variant> = {
  name: required(text),
  protocol: oneOf('openai', 'openai-responses', 'anthropic', 'gemini'),
  dialect: foreign('a dialect'),
  load: callable,
  capabilities,
  known,
}

const DRIVER: OptionTable<AdapterDriver> = {
  name: required(text),
  // An adapter's variants may have fields of its own.
  variants: required(listOf(foreign('an object { name }'), "a list of variants, such as [{ name: 'plain' }]")),
  capabilities: required(capabilities),
  known,
  wire: foreign('a form of the wire'),
  handoffTool: callable,
  start: required(callable),
}

/**
 * Checks the shape of a driver, since it may be written in JavaScript.
 * @param checks every known check: those of this package, and those of the run
 * @throws {TypeError} naming the driver, the field and what to write there
 */
export function checkDriver(driver: AdapterDriver, checks: readonly { readonly id: string }[]): void {
  const { name }: { readonly name: unknown } = driver
  const at = `The driver "${String(name)}"`
  checkOptions(at, DRIVER, driver)
  if (driver.variants.length === 0) throw new TypeError(`${at} has no variants. Give at least { name: 'plain' }.`)
  for (const [index, variant] of driver.variants.entries()) {
    const own = Object.entries(variant).filter(([field]) => Object.hasOwn(VARIANT, field))
    checkOptions(`${at}, variants[${index}]`, VARIANT, Object.fromEntries(own) as never)
  }
  refuseDuplicates(`variants of "${driver.name}"`, driver.variants)
  for (const { protocol, dialect } of driver.variants) protocolOf(protocol, dialect)
  const names = checks.map(({ id }) => id)
  const ids = new Set([...names, ...ASPECTS.flatMap((aspect) => ['*', ...names].map((id) => `${id}/${aspect.id}`))])
  for (const listed of [driver, ...driver.variants]) {
    const unknown = Object.keys(listed.known ?? {}).find((id) => !ids.has(id))
    if (unknown !== undefined)
      throw new TypeError(`${at} lists "${unknown}" as known, and no check has that id. Remove it, or correct the id.`)
  }
}

/**
 * Returns what is chosen by id.
 * @param only the ids. Default: all
 * @param command lists all ids, for messages
 * @throws {TypeError} if there are none, two have one id, or an id is unknown
 */
export function chooseIds<T extends { readonly id: string }>(
  checks: readonly T[],
  only: readonly string[] = checks.map(({ id }) => id),
  command = 'repertoire conformance --list',
): readonly T[] {
  const ids = checks.map(({ id }) => id)
  refuseDuplicates(
    'checks',
    ids.map((name) => ({ name })),
  )
  const unknown = only.find((id) => !ids.includes(id))
  if (unknown !== undefined) {
    const [nearest] = nearestNames(unknown, ids)
    const meant = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
    throw new TypeError(`There is no check "${unknown}".${meant} \`${command}\` lists all of them.`)
  }
  if (only.length === 0) throw new TypeError('There is no check to run, and a run without one proves nothing.')
  return checks.filter(({ id }) => only.includes(id))
}

/** @throws {TypeError} naming the first name that occurs twice */
export function refuseDuplicates(what: string, named: readonly { readonly name: string }[]): void {
  const names = named.map(({ name }) => name)
  const duplicate = names.find((name, index) => names.indexOf(name) !== index)
  if (duplicate !== undefined) throw new TypeError(`Two ${what} are named "${duplicate}". Give each its own name.`)
}
