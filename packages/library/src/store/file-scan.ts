import { readdirSync, type Dirent } from 'node:fs'
import { isSkillError, type SkillSource, type SkillVisitor } from '@repertoire/core'
import { journalOf, storeFolder } from './store-folder.ts'

/** Writers that come between more often than this are not waited for: what they change, the next reload sees. */
const MAX_ROUNDS = 20

/**
 * Scans a store's folder as any other is scanned. Skills whose folders a writer moved meanwhile are visited afterwards, so
 * that none is missing because it was just replaced.
 */
export async function scanStore(root: string, directory: SkillSource, visitor: SkillVisitor): Promise<void> {
  let before = journalOf(root)
  const seen = new Set<string>()
  await directory.scan({
    skill(found) {
      const { folderName, path, fileName, size, origin, hasAgentFile = false } = found
      // A SKILL.md in the store's folder itself belongs to no stored skill.
      if (found.folder.location === root) return
      seen.add(folderName)
      const head = (length: number): Uint8Array => found.head(length)
      const folder = storeFolder(root, folderName)
      const file = { path, fileName, size, head, hasAgentFile }
      visitor.skill({ folder, folderName, ...file, ...(origin !== undefined && { origin }) })
    },
    diagnostic: (diagnostic) => visitor.diagnostic(diagnostic),
  })
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const now = journalOf(root)
    if (now === undefined || (now.sequence === before?.sequence && now.moving.length === 0)) return
    for (const name of [...namesIn(root), ...now.moving].filter((each) => !seen.has(each))) {
      if (await visitOne(root, name, visitor)) seen.add(name)
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

async function visitOne(root: string, name: string, visitor: SkillVisitor): Promise<boolean> {
  const folder = storeFolder(root, name)
  try {
    const bytes = await folder.readManifest()
    const head = (length: number): Uint8Array => bytes.subarray(0, length)
    const path = `${folder.location}/SKILL.md`
    const file = { path, fileName: 'SKILL.md', size: bytes.length, head, hasAgentFile: true }
    visitor.skill({ folder, folderName: name, ...file })
    return true
  } catch (error) {
    if (isSkillError(error)) return false
    throw error
  }
}
