import { isAbsolute } from 'node:path'
import { invalidOrigin } from './failure.ts'
import { gitAddress, refuseCredentials, shortAddress, webAddress, type GitAddress } from './git/address.ts'
import { ARCHIVE_NAME } from './limits.ts'

/** What a text says about where skills come from. */
export type OriginSpec =
  | { readonly kind: 'folder' | 'archive-file'; readonly path: string }
  | { readonly kind: 'archive-url' | 'document' | 'site'; readonly url: URL }
  | { readonly kind: 'npm'; readonly name: string; readonly range?: string }
  | { readonly kind: 'git'; readonly address: GitAddress }

const NPM = /^npm:((?:@[a-z\d~-][\w.~-]*\/)?[a-z\d~-][\w.~-]*)(?:@(.+))?$/i

/**
 * Reads where skills come from:
 *
 * - a path that begins with `./`, `../`, `/`, `~/` or a drive: a folder, or an archive by its ending
 * - `owner/repo`, `owner/repo/path`, `owner/repo@skill`, each with or without `#ref`: a repository on GitHub
 * - `https://….git`, `git@…`, `ssh://…`, the page of a folder on GitHub or GitLab: a repository
 * - `https://…` that ends as an archive, or in `SKILL.md`; any other address: a site
 * - `npm:name@range`
 * @throws {SkillError} ORIGIN_INVALID
 * @throws {TypeError} it is not a text
 */
export function parseOrigin(text: string, home?: string): OriginSpec {
  if (typeof text !== 'string') throw new TypeError('An origin is a text, such as "./folder" or "owner/repo".')
  const problem = textProblem(text)
  if (problem !== undefined) throw invalidOrigin(text, problem)
  const local = localPath(text, home)
  if (local !== undefined) return { kind: ARCHIVE_NAME.test(local) ? 'archive-file' : 'folder', path: local }
  if (text.startsWith('npm:')) return npmSpec(text)
  const git = gitAddress(text) ?? shortAddress(text)
  if (git !== undefined) return { kind: 'git', address: git }
  if (/^https?:\/\//i.test(text)) return urlSpec(text)
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(text)?.[1]
  if (scheme !== undefined) {
    const hint = scheme.toLowerCase() === 'file' ? 'Give the path itself, such as ./skills.' : 'Use https, ssh or npm.'
    throw invalidOrigin(text, `nothing is fetched over "${scheme}:". ${hint}`)
  }
  throw invalidOrigin(text, 'it does not say where. Write ./folder, owner/repo, npm:name or https://….')
}

function textProblem(text: string): string | undefined {
  if (text === '') return 'it is empty.'
  if (text.length > 2000) return 'it is longer than 2,000 characters.'
  // What is not seen could be read as something else than it is.
  if (/[\0-\x20\x7F-\xA0\u200B-\u200F\u2028-\u202F\uFEFF]/.test(text) && !/^(?:\.{0,2}|~)\/|^[a-z]:[\\/]/i.test(text)) {
    return 'it holds a space or a character that is not shown.'
  }
  if (text.includes('\0')) return 'it holds a NUL character.'
  return text.startsWith('-') ? 'it begins with "-", as an option does.' : undefined
}

function localPath(text: string, home: string | undefined): string | undefined {
  if (text.startsWith('~/') && home !== undefined) return `${home}${text.slice(1)}`
  return /^\.{1,2}(?:$|[\\/])|^[a-z]:[\\/]/i.test(text) || isAbsolute(text) ? text : undefined
}

function npmSpec(text: string): OriginSpec {
  const [, name, range] = NPM.exec(text) ?? []
  if (name === undefined)
    throw invalidOrigin(text, 'it is not the name of a package. Write npm:name or npm:name@range.')
  return { kind: 'npm', name, range }
}

function urlSpec(text: string): OriginSpec {
  const url = URL.parse(text)
  if (url === null) throw invalidOrigin(text, 'it is not a URL.')
  refuseCredentials(text, url)
  const address = webAddress(url)
  if (address !== undefined) return { kind: 'git', address }
  if (url.hash !== '') throw invalidOrigin(text, 'only a repository has a "#ref".')
  if (ARCHIVE_NAME.test(url.pathname)) return { kind: 'archive-url', url }
  return { kind: url.pathname.endsWith('/SKILL.md') ? 'document' : 'site', url }
}
