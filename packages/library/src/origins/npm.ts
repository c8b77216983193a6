import { hash } from 'node:crypto'
import { showName } from '@repertoire/core'
import { readArchive } from './archive/read.ts'
import { withDeadline } from './deadline.ts'
import { refused, unreachable } from './failure.ts'
import { parseJsonObject } from './json-file.ts'
import { MAX_ORIGIN_BYTES, REGISTRY } from './limits.ts'
import type { OriginOptions } from './options.ts'
import type { Origin, ResolvedOrigin } from './origin.ts'
import { treeOrigin } from './tree-origin.ts'
import { download, downloadIfThere } from './web/download.ts'

/** The largest list of a package's versions. */
const MAX_LIST_BYTES = 64 * 1024 * 1024

/** A version of a package, with what its registry says of its archive. */
interface PackageVersion {
  readonly version: string
  readonly tarball: URL
  /** `sha512-` and base64. */
  readonly integrity: string
}

/**
 * Resolves a package to a version with its integrity. It is never installed: no script of it runs, and nothing that it
 * depends on is fetched.
 */
export async function resolveNpm(name: string, range: string | undefined, options: OriginOptions): Promise<Origin> {
  const { registry: address = REGISTRY, ref = range, revision: wanted, maxBytes = MAX_ORIGIN_BYTES } = options
  const registry = URL.parse(address.replace(/\/*$/, '/'))
  if (registry === null || !/^https?:$/.test(registry.protocol)) {
    throw new TypeError('resolveOrigin: registry is an address that begins with https: or http:.')
  }
  const asked = wanted?.split(' ')[0] ?? ref ?? 'latest'
  const found = await withDeadline(name, options, [options.signal], (signal) =>
    findVersion(name, asked, registry, { ...options, signal }),
  )
  const revision = `${found.version} ${found.integrity}`
  const resolved: ResolvedOrigin = { source: name, sourceType: 'npm', ref, revision }
  const origin = treeOrigin(resolved, options, async (work, request) => {
    const { bytes } = await download(name, found.tarball, { ...options, ...request, maxBytes })
    if (`sha512-${hash('sha512', bytes, 'base64')}` !== found.integrity) {
      throw refused(name, 'its bytes are not those that the registry has promised.')
    }
    return work(await readArchive(name, bytes, maxBytes), request)
  })
  options.onProgress?.({ kind: 'resolved' })
  return origin
}

/** @throws {SkillError} ORIGIN_UNREACHABLE, ORIGIN_REFUSED */
async function findVersion(
  name: string,
  asked: string,
  registry: URL,
  options: OriginOptions & { readonly signal: AbortSignal },
): Promise<PackageVersion> {
  const address = new URL(name.replace('/', '%2f'), registry)
  const { onProgress: _unused, ...quiet } = options
  const answer = await downloadIfThere(name, address, { ...quiet, maxBytes: MAX_LIST_BYTES })
  const list = answer === undefined ? {} : parseJsonObject(name, 'the answer of the registry', answer.bytes)
  const versions = Object(list['versions']) as Readonly<Record<string, unknown>>
  const version = await chooseVersion(Object.keys(versions), Object(list['dist-tags']) as object, asked)
  if (version === undefined) {
    throw unreachable(name, 'the registry has no such package, or no such version of it. Check both.')
  }
  const { dist } = Object(versions[version]) as { readonly dist?: unknown }
  const { tarball, integrity } = Object(dist) as Readonly<Record<string, unknown>>
  const [sha512] = /sha512-[\w+/=]+/.exec(String(integrity)) ?? []
  if (sha512 === undefined) {
    throw refused(name, 'the registry says no SHA-512 of it, so that nothing could be compared.')
  }
  const url = URL.parse(String(tarball))
  // A registry can name an address of anybody as the place of a package.
  if (url?.host !== registry.host) {
    throw refused(name, `the registry leads to ${showName(String(tarball))}, which is not its own host.`)
  }
  return { version, tarball: url, integrity: sha512 }
}

/** Returns the version of a tag, or the highest of a range. */
async function chooseVersion(versions: readonly string[], tags: object, asked: string): Promise<string | undefined> {
  const tagged: unknown = new Map<string, unknown>(Object.entries(tags)).get(asked)
  if (tagged !== undefined) return versions.find((version) => version === tagged)
  const { maxSatisfying } = (await import('semver')).default
  return maxSatisfying([...versions], asked) ?? undefined
}
