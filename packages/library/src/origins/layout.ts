import { MAX_SKILL_DEPTH } from './limits.ts'
import type { OriginTree, TreeEntry } from './tree.ts'

/** A SKILL.md in an origin. */
export interface FoundManifest {
  readonly entry: TreeEntry
  /** The folder that holds it; empty: the top. */
  readonly folder: string
  /** The name of that folder; absent where the origin does not name it, at its top. */
  readonly folderName?: string
}

/** Folders whose skills do not belong to the origin. */
const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules', '__MACOSX'])

/**
 * Finds the manifests of an origin, in tiers: the first that holds any is what the origin offers.
 *
 * 1. SKILL.md at the top, or else everything below a folder named `skills`
 * 2. every other folder that is not hidden
 * 3. hidden ones, such as `.claude/skills`, which are mostly copies for the repository's own use
 * 4. a skill inside of another skill counts as its resource, unless the caller names it
 */
export function findManifests({ entries, base, folders }: OriginTree): readonly (readonly FoundManifest[])[] {
  const found = entries
    .filter(({ path }) => path === 'SKILL.md' || path.endsWith('/SKILL.md'))
    .map((entry) => manifestAt(entry, base))
    .filter((manifest) => manifest !== undefined)
    .toSorted((a, b) => (a.folder < b.folder ? -1 : 1))
  if (folders !== undefined) return [found.filter(({ folder }) => folders.includes(folder))]
  const all = new Set(found.map(({ folder }) => folder))
  const tiers: [FoundManifest[], FoundManifest[], FoundManifest[], FoundManifest[]] = [[], [], [], []]
  for (const manifest of found) tiers[tierOf(manifest.folder, base, all)].push(manifest)
  return tiers
}

/** Returns why nothing was found, where another spelling of the name is the reason. */
export function misspelled({ entries }: OriginTree): string | undefined {
  return entries.find(({ path }) => /(?:^|\/)skill\.md$/i.test(path) && !path.endsWith('SKILL.md'))?.path
}

function manifestAt(entry: TreeEntry, base: string): FoundManifest | undefined {
  const folder = entry.path.slice(0, Math.max(0, entry.path.length - '/SKILL.md'.length))
  const parts = relativeParts(folder, base)
  if (parts.length > MAX_SKILL_DEPTH || parts.some((part) => SKIPPED.has(part))) return undefined
  const folderName = parts.at(-1)
  return { entry, folder, ...(folderName !== undefined && { folderName }) }
}

function relativeParts(folder: string, base: string): readonly string[] {
  const relative = base === '' ? folder : folder === base ? '' : folder.slice(base.length + 1)
  return relative === '' ? [] : relative.split('/')
}

function tierOf(folder: string, base: string, all: ReadonlySet<string>): 0 | 1 | 2 | 3 {
  const parts = relativeParts(folder, base)
  const top = base === '' ? [] : [base]
  const isInside = parts.some((_part, end) => all.has([...top, ...parts.slice(0, end)].join('/')))
  if (isInside) return 3
  if (parts.some((part) => part.startsWith('.'))) return 2
  return parts.length === 0 || parts.slice(0, -1).includes('skills') ? 0 : 1
}
