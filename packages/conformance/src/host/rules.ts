import { chooseIds, refuseDuplicates, refuseUnknown } from '../driver-rules.ts'
import { protocolOf } from '../endpoint/protocols.ts'
import { show } from '../failure.ts'
import type { HostCheck } from './check.ts'
import type { HostDriver, SkillReader } from './driver.ts'

const FIELDS: Readonly<Record<keyof HostDriver, true>> = {
  name: true,
  version: true,
  documentation: true,
  protocol: true,
  place: true,
  start: true,
  activate: true,
  activates: true,
  read: true,
  reads: true,
  list: true,
  own: true,
  toolName: true,
  documented: true,
}
const READERS: readonly SkillReader[] = ['own tool', 'file tool', 'shell']

/**
 * Returns the checks to run.
 * @throws {TypeError} if there are none, two have one id, or an id is unknown
 */
export function chooseHostChecks(
  checks: readonly HostCheck[],
  only: readonly string[] | undefined,
): readonly HostCheck[] {
  return chooseIds(checks, only, 'repertoire conformance --host FILE --list')
}

/**
 * Checks the shape of drivers, since they may be written in JavaScript.
 * @throws {TypeError} naming the driver, the field and what to write there
 */
export function checkHostDriver(hosts: readonly HostDriver[], checks: readonly HostCheck[]): void {
  if (hosts.length === 0) throw new TypeError('There is no host to judge. Give at least one driver in "hosts".')
  const ids = new Set(checks.map(({ id }) => id))
  for (const host of hosts) checkHost(host, ids)
  refuseDuplicates(
    'hosts',
    hosts.map(({ name }) => name),
  )
}

function checkHost(host: HostDriver, ids: ReadonlySet<string>): void {
  if (!isText(host.name)) throw new TypeError('A host driver has no "name".')
  const at = `The host driver "${host.name}"`
  refuseUnknown(host, FIELDS, at)
  if (typeof host.start !== 'function') throw new TypeError(`${at} has no "start", which begins a conversation.`)
  if (!isText(host.version)) throw new TypeError(`${at} has no "version". Say which version of the host is judged.`)
  if (!isText(host.documentation))
    throw new TypeError(`${at} has no "documentation". Give the address of what its makers write about skills.`)
  for (const field of ['activate', 'read'] as const) {
    const given = host[field]
    if (typeof given === 'function' || isText(given?.absent)) continue
    throw new TypeError(`${at} has no "${field}". Write the call of the model, or { absent: 'why the host cannot' }.`)
  }
  for (const field of ['activates', 'reads'] as const) {
    const given = host[field]
    if (given !== undefined && !READERS.includes(given))
      throw new TypeError(`${at} has ${show(given)} as "${field}". Known are: ${READERS.join(', ')}.`)
  }
  for (const field of ['list', 'own', 'toolName'] as const) {
    if (host[field] !== undefined && typeof host[field] !== 'function')
      throw new TypeError(`${at} has a "${field}" that is no function. Write one, or leave it out.`)
  }
  try {
    protocolOf(host.protocol)
  } catch (error) {
    throw new TypeError(`${at} has an invalid "protocol": ${error instanceof Error ? error.message : show(error)}`, {
      cause: error,
    })
  }
  for (const [id, said] of Object.entries(host.documented ?? {})) {
    if (!ids.has(id)) throw new TypeError(`${at} documents "${id}", and no check has that id. Correct the id.`)
    if (!isText(said)) throw new TypeError(`${at} documents "${id}" without words. Quote the host's documentation.`)
  }
}

/** Why a check cannot judge this host; undefined if it can. */
export function lackOf(host: HostDriver, { needs = [] }: HostCheck): string | undefined {
  for (const need of needs) {
    const uses = need.endsWith('activation') ? 'activate' : 'read'
    const given = host[uses]
    if (typeof given !== 'function') return given.absent
    const reader = (uses === 'activate' ? host.activates : host.reads) ?? 'own tool'
    if (need.startsWith('own') && reader !== 'own tool')
      return `The model reads skills with a ${reader}, which may read other files too.`
  }
  return undefined
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
