import { storedPathProblem } from '@repertoire/core/stores'
import { invalidOrigin } from '../failure.ts'
import { ARCHIVE_NAME } from '../limits.ts'
import { tokenVariable } from '../tokens.ts'

/** A repository, and what of it is wanted. */
export interface GitAddress {
  /** As git is given it. */
  readonly url: string
  /** As a lock names it. */
  readonly source: string
  readonly sourceType: 'github' | 'gitlab' | 'git'
  /** A branch, a tag or a commit. */
  readonly ref?: string
  /** A folder of the repository. */
  readonly path?: string
  /** The only skill that is wanted. */
  readonly skill?: string
}

const OWNER = String.raw`[a-z\d](?:[a-z\d-]{0,38})`
const REPO = String.raw`[\w.-]{1,100}`
const SHORT = new RegExp(`^(?:github:)?(${OWNER})/(${REPO}?)(?:@([^#/@]+))?(/[^#]*)?(?:#(.+))?$`, 'i')
const SCP = /^([a-z_][\w.-]*)@([a-z\d][a-z\d.-]*):([^#]+?)(?:#(.+))?$/i
const SSH = /^(?:git\+)?ssh:\/\/(?:([a-z_][\w.-]*)@)?([a-z\d][a-z\d.-]*)(?::(\d+))?\/([^#]+?)(?:#(.+))?$/i
const FILE = /^git\+(file:\/\/\/[^#]+?)(?:#(.+))?$/i

/** Reads `git+https:`, `git+ssh:`, `ssh:`, `git@…` and `git+file:`; undefined for everything else. */
export function gitAddress(text: string): GitAddress | undefined {
  const web = /^git\+(https?:\/\/.+)$/i.exec(text)?.[1]
  if (web !== undefined) {
    const url = URL.parse(web)
    if (url === null) throw invalidOrigin(text, 'it is not a URL.')
    refuseCredentials(text, url)
    return webAddress(url) ?? generic(text, `${url.origin}${url.pathname}`, { ref: url.hash.slice(1) })
  }
  const file = FILE.exec(text)
  if (file !== null) return generic(text, file[1]!, { ref: file[2] })
  const ssh = SSH.exec(text)
  if (ssh !== null) {
    const [, user = 'git', host, port, path, ref] = ssh
    return generic(text, `ssh://${user}@${host!}${port === undefined ? '' : `:${port}`}/${path!}`, { ref })
  }
  const scp = SCP.exec(text)
  if (scp === null) return undefined
  const [, user, host, path, ref] = scp
  return generic(text, `ssh://${user!}@${host!}/${path!.replace(/^\/+/, '')}`, { ref })
}

/** Reads `owner/repo`, with a folder, a skill and a ref; undefined for everything else. */
export function shortAddress(text: string): GitAddress | undefined {
  const [, forge, rest] = /^(gitlab|bitbucket|codeberg):(?!\/\/)(.+)$/i.exec(text) ?? []
  if (rest !== undefined) {
    const host = { gitlab: 'gitlab.com', bitbucket: 'bitbucket.org' }[forge!.toLowerCase()] ?? 'codeberg.org'
    throw invalidOrigin(text, `only repositories on GitHub have a short form. Write https://${host}/${rest}.`)
  }
  const found = SHORT.exec(text)
  if (found === null) return undefined
  const [, owner, repo, skill, path, ref] = found
  return hosted(text, 'github', `${owner!}/${repo!}`, { skill, path, ref })
}

/** How forges write the address of a repository (1), and of a branch and a folder in it (2). */
const FORGES: ReadonlyMap<string, RegExp> = new Map([
  ['github.com', /^([^/]+\/[^/]+)(?:\/tree\/(.+)|\/blob\/(.+)\/SKILL\.md)?$/],
  ['gitlab.com', /^((?:(?!\/-\/).)+?)(?:\/-\/tree\/(.+))?$/],
  ['bitbucket.org', /^([^/]+\/[^/]+)(?:\/src\/(.+))?$/],
  ['codeberg.org', /^([^/]+\/[^/]+)(?:\/src\/(?:(?:branch|commit|tag)\/)?(.+))?$/],
])

/** Reads the address of a repository, or of a folder on its site; undefined if nothing shows that it is one. */
export function webAddress(url: URL): GitAddress | undefined {
  const host = url.host.replace(/^www\./, '')
  const [, whole = decoded(url), path] = /^(.+?)\/\/(.+)$/s.exec(decoded(url)) ?? []
  const ref = url.hash === '' ? undefined : decodeURIComponent(url.hash.slice(1))
  // Azure DevOps: nothing else has such a part.
  if (/\/_git\//.test(url.pathname)) {
    const folder = url.searchParams.get('path')?.replace(/^\/+/, '') ?? ''
    const [, version] = /^G[BCT](.+)$/.exec(url.searchParams.get('version') ?? '') ?? []
    const address = `${url.origin}${url.pathname}${folder === '' ? '' : `//${folder}`}`
    return generic(url.href, address, { ref: ref ?? version })
  }
  if (url.search !== '') return undefined
  const page = FORGES.get(host)?.exec(whole.replaceAll(/^\/+|\/+$/g, ''))
  if (page != null && !ARCHIVE_NAME.test(url.pathname)) {
    const [, source, tree, blob] = page
    // Where a name with "/" ends, only the repository can tell: it stands behind "#".
    const [shown, ...below] = (tree ?? blob ?? '').split('/')
    const wanted = { ref: ref ?? shown, path: path ?? below.join('/') }
    if (host === 'github.com') return hosted(url.href, 'github', source!, wanted)
    if (host === 'gitlab.com') return hosted(url.href, 'gitlab', source!, wanted)
    return generic(url.href, `${url.origin}/${source!}${wanted.path && `//${wanted.path}`}`, wanted)
  }
  return /\.git(?:$|\/\/)/.test(url.pathname) ? generic(url.href, `${url.origin}${url.pathname}`, { ref }) : undefined
}

/**
 * Takes off a user name, as the buttons of forges put one before a host. It is not secret, and a token goes without it.
 * @throws {SkillError} ORIGIN_INVALID: there is a password
 */
export function refuseCredentials(text: string, url: URL): void {
  if (url.password !== '') {
    const reason = `the address holds a password. Put it into the environment, as ${tokenVariable(url.host)} (in code: \`tokens\`).`
    throw invalidOrigin(text, reason)
  }
  url.username = ''
}

interface Wanted {
  readonly skill?: string | undefined
  readonly path?: string | undefined
  readonly ref?: string | undefined
}

function hosted(text: string, sourceType: 'github' | 'gitlab', given: string, wanted: Wanted): GitAddress {
  const source = given.replace(/\.git$/, '')
  if (source.split('/').some((part) => /^\.*$/.test(part) || part.startsWith('-'))) {
    throw invalidOrigin(text, 'it does not name a repository. Write owner/repo.')
  }
  return { url: `https://${sourceType}.com/${source}.git`, source, sourceType, ...checked(text, wanted) }
}

/** Any other repository. A folder of it stands behind `//`. */
function generic(text: string, url: string, { ref }: Wanted): GitAddress {
  const [, scheme, address, path] = /^([a-z]+:\/\/)(.*?)(?:\/\/(.+))?$/is.exec(url)!
  const repository = `${scheme!}${address!}`
  return { url: repository, source: repository, sourceType: 'git', ...checked(text, { ref, path }) }
}

function checked(
  text: string,
  { skill, path = '', ref = '' }: Wanted,
): Omit<GitAddress, 'url' | 'source' | 'sourceType'> {
  const folder = path.replaceAll(/^\/+|\/+$/g, '')
  const problem = folder === '' ? undefined : storedPathProblem(folder)
  if (problem !== undefined) throw invalidOrigin(text, `its folder cannot be one of a repository: ${problem}.`)
  if (ref !== '') checkRef(text, ref)
  return { skill, ...(folder !== '' && { path: folder }), ...(ref !== '' && { ref }) }
}

/** @throws {SkillError} ORIGIN_INVALID: git would take it for an option, a range or an expression */
export function checkRef(text: string, ref: string): void {
  // As `git check-ref-format` has it, and nothing else.
  if (/^[\w][\w./+@=,-]*$/.test(ref) && !/\.\.|@\{|\/\/|\/$|\.lock$|\.$|\/\./.test(ref) && ref.length <= 250) return
  throw invalidOrigin(text, 'behind "#" is not the name of a branch, a tag or a commit.')
}

function decoded(url: URL): string {
  try {
    return decodeURIComponent(url.pathname)
  } catch {
    throw invalidOrigin(url.href, 'it is not a URL.')
  }
}
