import {
  callable,
  checkOptions,
  either,
  oneOf,
  type OptionTable,
  recordOf,
  required,
  tableOf,
  text,
} from '@repertoire/core/options'
import { refuseDuplicates } from '../driver-rules.ts'
import type { HostCheck } from './check.ts'
import type { HostDriver, Lack } from './driver.ts'

const callOrLack = required(either(callable, tableOf<Lack>({ absent: required(text) })))
const readerKind = oneOf('own tool', 'file tool', 'shell')

const HOST_DRIVER: OptionTable<HostDriver> = {
  name: required(text),
  version: required(text),
  documentation: required(text),
  protocol: oneOf('openai', 'openai-responses', 'anthropic', 'gemini'),
  place: text,
  start: required(callable),
  activate: callOrLack,
  activates: readerKind,
  read: callOrLack,
  reads: readerKind,
  list: callable,
  own: callable,
  toolName: callable,
  documented: recordOf(text),
}

/**
 * Checks the shape of drivers, since they may be written in JavaScript.
 * @throws {TypeError} naming the driver, the field and what to write there
 */
export function checkHostDrivers(hosts: readonly HostDriver[], checks: readonly HostCheck[]): void {
  if (hosts.length === 0) throw new TypeError('There is no host to judge. Give at least one driver in "hosts".')
  const ids = new Set(checks.map(({ id }) => id))
  for (const host of hosts) {
    const { name }: { readonly name: unknown } = host
    const at = `The host driver "${String(name)}"`
    checkOptions(at, HOST_DRIVER, host)
    const unknown = Object.keys(host.documented ?? {}).find((id) => !ids.has(id))
    if (unknown !== undefined)
      throw new TypeError(`${at} documents "${unknown}", and no check has that id. Correct the id.`)
  }
  refuseDuplicates('hosts', hosts)
}

/** Why a check cannot judge this host; undefined if it can. */
export function lackOf(host: HostDriver, { needs = [] }: HostCheck): string | undefined {
  for (const need of needs) {
    const [given, reader = 'own tool'] = need.endsWith('activation')
      ? [host.activate, host.activates]
      : [host.read, host.reads]
    if (typeof given !== 'function') return given.absent
    if (need.startsWith('own') && reader !== 'own tool')
      return `The model reads skills with a ${reader}, which may read other files too.`
  }
  return undefined
}
