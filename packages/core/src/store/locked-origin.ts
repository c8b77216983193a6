/** What a lock's entry says about where a skill came from, whichever command wrote it. */
export interface LockedOrigin {
  /** `owner/repo`, a URL, a relative path, the name of a package. */
  readonly source: string
  /** `github`, `git`, `local`, `npm`, `archive`, `well-known`, … */
  readonly sourceType: string
  readonly sourceUrl?: string
  /** A branch, a tag or a range, as it was asked for. */
  readonly ref?: string
  /** The path of SKILL.md in the origin: of a repository, only this folder is then looked into. */
  readonly skillPath?: string
}

/** An origin, with the folder of the skill in it, and the branch or tag after its sign. */
interface OriginParts extends LockedOrigin {
  readonly folder: string
  readonly behind: string
}

const address = ({ source, sourceUrl = source }: OriginParts): string => sourceUrl

const repository = (url: string, { folder, behind }: OriginParts): string =>
  `${/^ssh:|@/.test(url) ? '' : 'git+'}${url}${folder && `//${folder}`}${behind}`

const FORMS: ReadonlyMap<string, (origin: OriginParts) => string> = new Map([
  ['github', ({ source, folder, behind }: OriginParts) => `${source}${folder && `/${folder}`}${behind}`],
  [
    'gitlab',
    (origin: OriginParts) => repository(origin.sourceUrl ?? `https://gitlab.com/${origin.source}.git`, origin),
  ],
  ['git', (origin: OriginParts) => repository(address(origin), origin)],
  ['npm', ({ source, behind }: OriginParts) => `npm:${source}${behind.replace('#', '@')}`],
  ['archive', address],
  ['url', address],
  ['well-known', address],
  ['local', ({ source }: OriginParts) => (PATH.test(source) ? source : `./${source}`)],
])

const PATH = /^(?:\.{1,2}(?:$|[\\/])|[\\/]|[a-z]:[\\/])/i

/** Returns an origin as one text, from which it can be added again; undefined for a kind that is not known here. */
export function lockedOriginText(origin: LockedOrigin): string | undefined {
  const { sourceType, ref, skillPath = '' } = origin
  const folder = skillPath.slice(0, Math.max(0, skillPath.lastIndexOf('/')))
  return FORMS.get(sourceType)?.({ ...origin, folder, behind: ref === undefined ? '' : `#${ref}` })
}

const ASCII = /^[\u0020-\u007E]*$/
const MAX_FOLDER_CHARS = 255

/**
 * The folder of a skill that a lock names. A lock of the `skills` command has the name as its SKILL.md writes it, and
 * the folder in the form that this command gives it: `next.js-caching` for `Next.js Caching`.
 */
export function lockedFolderName(name: string): string {
  if (!ASCII.test(name)) return name
  const folder = name
    .toLowerCase()
    .replace(/[^a-z\d._]+/g, '-')
    .replace(/^[.-]+|[.-]+$/g, '')
    .slice(0, MAX_FOLDER_CHARS)
  return folder === '' ? name : folder
}
