import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isSkillError, showName } from '@repertoire/core'
import { readArchive } from './archive/read.ts'
import { withDeadline } from './deadline.ts'
import { refused, unreachable } from './failure.ts'
import { MAX_ORIGIN_BYTES, ORIGIN_TIMEOUT_MS, REGISTRY } from './limits.ts'
import type { OriginOptions } from './options.ts'
import type { Origin, ResolvedOrigin } from './origin.ts'
import { registryAgent } from './registry-agent.ts'
import { treeOrigin } from './tree-origin.ts'
import { registryToken, withoutToken } from './tokens.ts'
import { trusted } from './web/address.ts'
import { systemCodeOf } from '../system-code.ts'
import { storedPathProblem } from '@repertoire/core/stores'
import { readJsonFile } from './json-file.ts'
import type { OriginTree } from './tree.ts'

/** Of a package's answer what is needed here. */
interface PackageManifest {
  readonly version: string
  readonly _resolved?: string
  readonly _integrity?: string
}

/**
 * Resolves a package to a version with its integrity. It is never installed: no script of it runs, and nothing that it
 * depends on is fetched.
 */
export async function resolveNpm(name: string, range: string | undefined, options: OriginOptions): Promise<Origin> {
  const { registry = REGISTRY, ref = range, revision: wanted } = options
  const source = name
  const { host } = addressOf(registry)
  const version = wanted?.split(' ')[0] ?? ref ?? 'latest'
  const manifest = await withPacote(
    source,
    options,
    (settings, pacote) => pacote.manifest(`${name}@${version}`, settings as object) as Promise<PackageManifest>,
  )
  const { _integrity: integrity, _resolved: tarball = '' } = manifest
  if (integrity === undefined)
    throw refused(source, 'the registry says no integrity of it, so that nothing could be compared.')
  // A registry can name an address of anybody as the place of a package.
  if (URL.parse(tarball)?.host !== host)
    throw refused(source, `the registry leads to ${showName(tarball)}, which is not its own host.`)
  const resolved: ResolvedOrigin = {
    source,
    sourceType: 'npm',
    ref,
    revision: `${manifest.version} ${integrity}`,
  }
  const { maxBytes = MAX_ORIGIN_BYTES } = options
  const origin = treeOrigin(resolved, options, async (work, request) => {
    const { signal, onProgress } = request
    const bytes = await withPacote(
      source,
      options,
      (settings, pacote, stop) => {
        const spec = `${name}@${manifest.version}`
        const exact = { ...settings, integrity, resolved: tarball }
        return pacote.tarball.stream(spec, (stream) => collect(source, stream, maxBytes, stop, onProgress), exact)
      },
      signal,
    )
    const tree = await readArchive(source, bytes, maxBytes)
    const folders = await packageFolders(source, tree)
    const chosen = folders === undefined ? tree : { ...tree, folders }
    return work(chosen, request)
  })
  options.onProgress?.({ kind: 'resolved' })
  return origin
}

/** @throws {TypeError} */
function addressOf(registry: string): URL {
  const url = URL.parse(registry)
  if (url !== null && /^https?:$/.test(url.protocol)) return url
  throw new TypeError('resolveOrigin: registry is an address that begins with https: or http:.')
}

type Pacote = typeof import('pacote')

/** Lets pacote ask a registry, with a temporary cache, and nothing else than a registry. */
async function withPacote<T>(
  source: string,
  options: OriginOptions,
  work: (settings: Readonly<Record<string, unknown>>, pacote: Pacote, signal: AbortSignal) => Promise<T>,
  caller?: AbortSignal,
): Promise<T> {
  const { registry = REGISTRY, timeout = ORIGIN_TIMEOUT_MS, ca } = options
  const { host } = addressOf(registry)
  const token = registryToken(registry, options)
  return withDeadline(source, options, [options.signal, caller], async (signal) => {
    const { default: pacote } = await import('pacote')
    const connection = { timeout, ...(ca !== undefined && { ca: await trusted(ca) }) }
    const agent = await registryAgent(source, registry, options, connection)
    // Nothing that can fail lies between it and its removal.
    const cache = await mkdtemp(join(tmpdir(), 'repertoire-npm-'))
    const settings = {
      registry,
      cache,
      agent,
      allowDirectory: 'none',
      allowFile: 'none',
      allowGit: 'none',
      allowRemote: 'none',
      ignoreScripts: true,
      retry: { retries: 1, factor: 10, minTimeout: 500, maxTimeout: 5000 },
      ...connection,
      signal,
      ...(token !== undefined && { [`//${host}/:_authToken`]: token }),
    }
    try {
      return await work(settings, pacote, signal)
    } catch (error) {
      throw explained(source, error, token)
    } finally {
      await rm(cache, { recursive: true, force: true, maxRetries: 3 })
    }
  })
}

async function collect(
  source: string,
  stream: AsyncIterable<Buffer>,
  maxBytes: number,
  signal: AbortSignal,
  onProgress: OriginOptions['onProgress'],
): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let count = 0
  for await (const chunk of stream) {
    signal.throwIfAborted()
    count += chunk.length
    if (count > maxBytes) throw refused(source, `it has more than ${maxBytes} bytes.`)
    chunks.push(chunk)
    onProgress?.({ kind: 'received', count })
  }
  return Buffer.concat(chunks)
}

function explained(source: string, error: unknown, token: string | undefined): unknown {
  if (isSkillError(error)) return error
  const code = systemCodeOf(error)
  if (code === 'EINTEGRITY') return refused(source, 'its bytes are not those that the registry has promised.')
  if (code === 'E404' || code === 'ETARGET' || code === 'ENOVERSIONS') {
    return unreachable(source, 'the registry has no such package, or no such version of it. Check both.')
  }
  const message = error instanceof Error ? withoutToken(error.message, token).slice(0, 300) : ''
  return unreachable(source, `the registry does not give it${code === '' ? '' : ` (${code})`}. ${showName(message)}`)
}

/**
 * Returns the folders that the field `agentskills` of a package.json names. Undefined: it has none, and is looked through as
 * any other origin.
 * @throws {SkillError} ORIGIN_REFUSED: the field cannot be read
 */
async function packageFolders(source: string, tree: OriginTree): Promise<readonly string[] | undefined> {
  const { agentskills } = (await readJsonFile(source, tree, inPackage(tree, 'package.json'))) ?? {}
  if (agentskills === undefined) return undefined
  return namedFolders(source, agentskills).map((path) => inPackage(tree, path))
}

function inPackage({ base }: OriginTree, path: string): string {
  return [base, path].filter((part) => part !== '').join('/')
}

function namedFolders(source: string, field: unknown): readonly string[] {
  const listed: unknown = typeof field === 'object' && field !== null && 'skills' in field ? field.skills : undefined
  if (!Array.isArray(listed)) throw malformed(source)
  return listed.map((each: unknown) => {
    const named: unknown = typeof each === 'object' && each !== null && 'path' in each ? each.path : undefined
    if (typeof named !== 'string' || named === '') throw malformed(source)
    const path = named.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '')
    if (path === '' || path === '.') return ''
    if (storedPathProblem(path) !== undefined) throw malformed(source)
    return path
  })
}

function malformed(source: string): ReturnType<typeof refused> {
  const reason = 'the field "agentskills" of its package.json is not { "skills": [{ "path": "./skills/my-skill" }] }.'
  return refused(source, reason, 'package.json')
}
