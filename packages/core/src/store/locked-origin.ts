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

/** Returns an origin as one text, from which it can be added again; undefined for a kind that is not known here. */
export function lockedOriginText(origin: LockedOrigin): string | undefined {
  const { source, sourceType, sourceUrl, ref, skillPath = '' } = origin
  const behind = ref === undefined ? '' : `#${ref}`
  const folder = skillPath.includes('/') ? skillPath.slice(0, skillPath.lastIndexOf('/')) : ''
  switch (sourceType) {
    case 'github':
      return `${source}${folder && `/${folder}`}${behind}`
    case 'gitlab':
    case 'git': {
      const url = sourceUrl ?? (sourceType === 'gitlab' ? `https://gitlab.com/${source}.git` : source)
      return `${url.startsWith('ssh:') || url.includes('@') ? '' : 'git+'}${url}${folder && `//${folder}`}${behind}`
    }
    case 'npm':
      return `npm:${source}${ref === undefined ? '' : `@${ref}`}`
    case 'archive':
    case 'url':
    case 'well-known':
    case 'mcp':
      return sourceUrl ?? source
    case 'local':
      return /^(?:\.{1,2}(?:$|[\\/])|[\\/]|[a-z]:[\\/])/i.test(source) ? source : `./${source}`
    default:
      return undefined
  }
}

const ASCII = /^[\u0020-\u007E]*$/
const MAX_FOLDER_CHARS = 255

/**
 * The folder of a skill that a lock names. A lock of the `skills` command has the name as its SKILL.md writes it, and the
 * folder in the form that this command gives it: `next.js-caching` for `Next.js Caching`.
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
