import { refused } from './failure.ts'
import { readJsonFile } from './indexes/json-file.ts'
import { joinPath, pluginPath } from './indexes/plugin-path.ts'
import { childrenOf } from './indexes/plugin-tree.ts'
import type { OriginTree } from './tree.ts'

/**
 * Returns the folders of a package's skills, by the rules of an installed one: those that the field `agentskills` of its
 * package.json names, or else those in `skills`. Undefined: it has neither, and is looked through as any other origin.
 * @throws {SkillError} ORIGIN_REFUSED: the field cannot be read
 */
export async function packageFolders(source: string, tree: OriginTree): Promise<readonly string[] | undefined> {
  const { agentskills } = (await readJsonFile(source, tree, joinPath(tree.base, 'package.json'))) ?? {}
  if (agentskills !== undefined) return namedFolders(source, agentskills).map((path) => joinPath(tree.base, path))
  const folders = childrenOf(tree, joinPath(tree.base, 'skills'))
  return folders.length === 0 ? undefined : folders
}

function namedFolders(source: string, field: unknown): readonly string[] {
  const listed: unknown = typeof field === 'object' && field !== null && 'skills' in field ? field.skills : undefined
  if (!Array.isArray(listed)) throw malformed(source)
  return listed.map((each: unknown) => {
    const named: unknown = typeof each === 'object' && each !== null && 'path' in each ? each.path : undefined
    const found = named === '' ? { problem: 'it is empty' } : pluginPath(named)
    if ('problem' in found) throw malformed(source)
    return found.path
  })
}

function malformed(source: string): ReturnType<typeof refused> {
  const reason = 'the field "agentskills" of its package.json is not { "skills": [{ "path": "./skills/my-skill" }] }.'
  return refused(source, reason, 'package.json')
}
