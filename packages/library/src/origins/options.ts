import {
  anyText,
  callable,
  checkOptions,
  flag,
  listOf,
  number,
  type OptionTable,
  recordOf,
  required,
  secret,
  signal,
  text,
  timeLimit,
  withDefault,
} from '@repertoire/core/options'
import type { FetchOptions } from './origin.ts'

/** Options of `resolveOrigin`. */
export interface OriginOptions {
  /** Where relative paths begin. Default: the working folder. */
  readonly cwd?: string | undefined
  /** A branch, a tag, a commit, a range of versions; in place of one in the text. */
  readonly ref?: string | undefined
  /**
   * The exact revision that is wanted, as a lock has it. A git origin then asks for this commit whatever its branches
   * are now; of anything else, another revision is refused.
   */
  readonly revision?: string | undefined
  /**
   * Tokens by host, sent only to that very host, over https. Default: those of the environment, for any host
   * `REPERTOIRE_TOKEN_<HOST>` (`REPERTOIRE_TOKEN_DEV_AZURE_COM`), or else `GH_TOKEN` or `GITHUB_TOKEN` for
   * `github.com`, `GITLAB_TOKEN` for `gitlab.com`, `NPM_TOKEN` for the registry.
   */
  readonly tokens?: Readonly<Record<string, string>> | undefined
  /**
   * Addresses and ranges that are not public and may be asked all the same: `127.0.0.1`, `10.1.0.0/16`. Plain `http:`
   * is used for loopback addresses named here, and for nothing else. Default none.
   */
  readonly allowPrivate?: readonly string[] | undefined
  /** Certificates in PEM that are trusted beside those of Node, such as a company's own. */
  readonly ca?: string | undefined
  /** For resolving and for fetching, each, in milliseconds. Default 120,000. */
  readonly timeout?: number | undefined
  /** The most bytes that are received, or unpacked. Default 268,435,456. */
  readonly maxBytes?: number | undefined
  /** The npm registry. Default `https://registry.npmjs.org/`. */
  readonly registry?: string | undefined
  /** Whether repositories on this machine may be asked by git, as `git+file:///srv/skills.git`. Default false. */
  readonly localGit?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: FetchOptions['onProgress'] | undefined
}

/** The options of `resolveOrigin`. */
export const ORIGIN_OPTIONS: OptionTable<OriginOptions> = {
  cwd: withDefault('the working folder', text),
  ref: anyText,
  revision: anyText,
  tokens: recordOf(secret),
  allowPrivate: listOf(text, 'a list of addresses and ranges'),
  ca: anyText,
  timeout: withDefault(120_000, timeLimit),
  maxBytes: withDefault(268_435_456, number('bytes', { above: 0, isUnlimited: true })),
  registry: withDefault('https://registry.npmjs.org/', text),
  localGit: withDefault(false, flag),
  signal,
  onProgress: callable,
}

const FETCH_OPTIONS: OptionTable<FetchOptions> = {
  skills: listOf(anyText, 'a list of skill names'),
  signal,
  onProgress: callable,
}

/** @throws {TypeError} an option of `fetch` is unknown or has the wrong type */
export function checkFetchOptions(options: FetchOptions): void {
  checkOptions('fetch', FETCH_OPTIONS, options)
}

/** @throws {TypeError} an option is unknown or has the wrong type */
export function checkOriginOptions(name: string, origin: unknown, options: OriginOptions): void {
  checkOptions(name, ORIGIN_OPTIONS, options, `${name}('owner/repo', { ref: 'main' })`)
  checkOptions(name, { text: required(anyText) }, { text: origin })
}
