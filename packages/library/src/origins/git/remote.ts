import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { showName } from '@repertoire/core'
import { runProgram, type ProgramEnd } from '../../run-program.ts'
import { invalidOrigin, refused, unreachable } from '../failure.ts'
import type { OriginOptions } from '../options.ts'
import { tokenFor, withoutToken } from '../tokens.ts'
import { addressCheck, checkHop, permittedAddresses, trusted } from '../web/address.ts'
import { judgedProxy } from '../web/connections.ts'
import { gitEnvironment } from './process.ts'

/** A repository that may be asked, and a folder for the time of that. */
export interface GitRemote {
  readonly url: string
  /** Empty at first, and removed in the end. */
  readonly folder: string
  /** Runs git so that it can contact only this repository. @throws {SkillError} ORIGIN_UNREACHABLE: there is no git */
  readonly ask: (args: readonly string[], job: RemoteJob) => Promise<ProgramEnd>
  /** Runs git without network access. */
  readonly local: (args: readonly string[], job: RemoteJob) => Promise<ProgramEnd>
  /** @throws {SkillError} ORIGIN_UNREACHABLE, with what git said */
  readonly fail: (end: ProgramEnd, reason: string) => never
}

/** A run of git for a repository. */
interface RemoteJob {
  readonly signal: AbortSignal
  readonly maxBytes?: number
  readonly input?: string
}

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

/**
 * Judges where a repository is, before anything is sent, and lets work ask it.
 * @param source as messages name it
 * @throws {SkillError} ORIGIN_INVALID, ORIGIN_REFUSED, ORIGIN_UNREACHABLE
 */
export async function withRemote<T>(
  source: string,
  address: string,
  options: OriginOptions,
  work: (remote: GitRemote) => Promise<T>,
): Promise<T> {
  const url = new URL(address)
  const protocol = url.protocol.slice(0, -1)
  const { settings, proxy } = await settingsFor(source, url, options)
  const token = tokenFor(url, options)
  if (token !== undefined) {
    // Any user name will do, and no host takes an empty one.
    const basic = Buffer.from(`x-access-token:${token}`).toString('base64')
    settings.push([`http.${url.origin}/.extraHeader`, `Authorization: Basic ${basic}`])
  }
  const folder = await mkdtemp(join(tmpdir(), 'repertoire-git-'))
  try {
    if (options.ca !== undefined && protocol === 'https') {
      const file = join(folder, 'ca.pem')
      await writeFile(file, (await trusted(options.ca)).join('\n'))
      settings.push(['http.sslCAInfo', file], ['http.proxySSLCAInfo', file])
    }
    const runWith = (env: Readonly<Record<string, string>>) => async (args: readonly string[], job: RemoteJob) => {
      const end = await runProgram({ program: 'git', args, cwd: folder, env, maxBytes: MAX_OUTPUT_BYTES, ...job })
      if (end.isMissing) throw unreachable(source, 'there is no git on this machine. Install it, or name an archive.')
      return end
    }
    return await work({
      url: address,
      folder,
      ask: runWith(gitEnvironment(protocol, folder, settings)),
      local: runWith(gitEnvironment(undefined, folder)),
      fail({ stderr, isTooMuch }, reason) {
        if (isTooMuch) throw refused(source, 'it has more than can be looked at.')
        const said =
          withoutToken(withoutToken(stderr, token), proxy?.password || undefined)
            .trim()
            .split('\n')
            .at(-1) ?? ''
        throw unreachable(source, `${reason} Git says: ${showName(said.slice(0, 300))}`)
      },
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @returns without a proxy if the repository is asked directly */
async function settingsFor(
  source: string,
  url: URL,
  options: OriginOptions,
): Promise<{ readonly settings: [string, string][]; readonly proxy?: URL }> {
  if (url.protocol === 'file:') {
    if (options.localGit === true) return { settings: [] }
    const reason = 'git is not run on repositories of this machine. Name the folder instead.'
    throw invalidOrigin(source, reason)
  }
  const isPermitted = await addressCheck(options)
  if (url.protocol !== 'ssh:') {
    checkHop(source, url, isPermitted)
    const proxy = await judgedProxy(source, url, isPermitted)
    if (proxy !== undefined) return { settings: [['http.proxy', proxy.href]], proxy }
  }
  const addresses = await permittedAddresses(source, url.hostname, isPermitted)
  if (url.protocol === 'ssh:' || addresses.length === 0) return { settings: [] }
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  // What was judged is what is asked: a second question could be answered otherwise.
  const pinned = addresses.map((each) => (each.includes(':') ? `[${each}]` : each)).join(',')
  return { settings: [['http.curloptResolve', `${url.hostname}:${port}:${pinned}`]] }
}
