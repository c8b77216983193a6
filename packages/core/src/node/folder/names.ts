import { sep } from 'node:path'

/** The path of a folder's entry. As `path.join`, but without normalising, which would slow down every scan. */
export function childPath(folder: string, name: string): string {
  return folder.endsWith(sep) ? folder + name : folder + sep + name
}

/** The name of the file that makes a folder a skill. */
export const MANIFEST_NAME = 'SKILL.md'

export function isManifestName(name: string): boolean {
  return name.length === MANIFEST_NAME.length && /^skill\.md$/i.test(name)
}

export function isSearchedName(name: string, hidden: boolean): boolean {
  return name !== '.git' && name !== 'node_modules' && (hidden || !name.startsWith('.'))
}
