import { readdirSync, type Dirent } from 'node:fs'

/** The folders of a store, by name in code-unit order. */
export function namesIn(root: string): readonly string[] {
  return read(root, (entry) => entry.isDirectory())
}

/** Everything that is where a skill's folder could be, by name in code-unit order. */
export function entriesIn(root: string): readonly string[] {
  return read(root, () => true)
}

function read(root: string, isWanted: (entry: Dirent) => boolean): readonly string[] {
  try {
    return readdirSync(root, { withFileTypes: true })
      .filter((entry) => isWanted(entry) && !entry.name.startsWith('.') && entry.name !== 'node_modules')
      .map(({ name }) => name)
      .toSorted()
  } catch {
    return []
  }
}
