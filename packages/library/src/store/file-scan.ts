import { readdirSync, type Dirent } from 'node:fs'
import { type Diagnostic, type FoundSkill, isSkillError, type SkillSource } from '@repertoire/core'
import { journalOf, storeFolder } from './store-folder.ts'

/** Writers that come between more often than this are not waited for: what they change, the next reload sees. */
const MAX_ROUNDS = 20

/**
 * Scans a store's folder as any other is scanned. Skills whose folders a writer moved meanwhile come afterwards, so
 * that none is missing because it was just replaced.
 */
export async function* scanStore(root: string, directory: SkillSource): AsyncGenerator<FoundSkill | Diagnostic> {
  let before = journalOf(root)
  const seen = new Set<string>()
  for await (const found of directory.scan()) {
    if ('code' in found) yield found
    // A SKILL.md in the store's folder itself belongs to no stored skill.
    else if (found.folder.location !== root) {
      seen.add(found.folderName)
      yield { ...found, folder: storeFolder(root, found.folderName) }
    }
  }
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const now = journalOf(root)
    if (now === undefined || (now.sequence === before?.sequence && now.moving.length === 0)) return
    for (const name of [...namesIn(root), ...now.moving].filter((each) => !seen.has(each))) {
      const found = await findOne(root, name)
      if (found === undefined) continue
      seen.add(name)
      yield found
    }
    // The one who should have completed it may have been ended.
    if (now.sequence === before?.sequence) return
    before = now
  }
}

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

async function findOne(root: string, name: string): Promise<FoundSkill | undefined> {
  const folder = storeFolder(root, name)
  try {
    const head = await folder.readManifest()
    const path = `${folder.location}/SKILL.md`
    return { folder, folderName: name, path, fileName: 'SKILL.md', size: head.length, head }
  } catch (error) {
    if (isSkillError(error)) return undefined
    throw error
  }
}
