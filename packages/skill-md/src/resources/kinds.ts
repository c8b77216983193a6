import type { FolderEntry } from '../ports/folder.ts'

/** A skill's files by their purpose, which follows from their folder (Agent Skills specification, directory structure). */
export interface ResourceGroups {
  readonly scripts: readonly FolderEntry[]
  readonly references: readonly FolderEntry[]
  readonly assets: readonly FolderEntry[]
  /** All others except the manifest. */
  readonly other: readonly FolderEntry[]
}

/** Groups a skill's files by kind, in their order. */
export function groupResources(files: readonly FolderEntry[]): ResourceGroups {
  const kinds = Map.groupBy(
    files.filter(({ path }) => path !== 'SKILL.md'),
    ({ path }) => kindOf(path),
  )
  return {
    scripts: kinds.get('scripts') ?? [],
    references: kinds.get('references') ?? [],
    assets: kinds.get('assets') ?? [],
    other: kinds.get('other') ?? [],
  }
}

function kindOf(path: string): keyof ResourceGroups {
  const [top = ''] = path.split('/', 1)
  return path.includes('/') && (top === 'scripts' || top === 'references' || top === 'assets') ? top : 'other'
}
