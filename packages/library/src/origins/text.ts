import { invalidOrigin } from './failure.ts'
import type { ResolvedOrigin } from './origin.ts'

/** What a lock's entry says about an origin, whichever command wrote it. */
export interface LockedOrigin extends Omit<ResolvedOrigin, 'revision' | 'plugin'> {
  /** The path of SKILL.md in the origin: of a repository, only this folder is then looked into. */
  readonly skillPath?: string
}

/**
 * Returns the text that `resolveOrigin` reads as the origin of a lock's entry.
 * @throws {SkillError} ORIGIN_INVALID: a kind of origin that is not known here
 */
export function originText({ source, sourceType, sourceUrl, ref, skillPath = '' }: LockedOrigin): string {
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
      throw invalidOrigin(
        source,
        `origins of the kind "${sourceType}" are not known. Add the skill anew from where it is.`,
      )
  }
}
