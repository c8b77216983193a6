import { showName, SkillError } from '@repertoire/core'
import { refused } from '../failure.ts'
import type { OriginTree } from '../tree.ts'
import { checkAgentPlugin, isAgentPlugin } from './agent-plugin.ts'
import { type JsonObject, readJsonFile } from './json-file.ts'
import { joinPath, pluginPath } from './plugin-path.ts'

/** What a marketplace says about a plugin, apart from its place. */
export interface PluginListing {
  /** Folders of skills, as of the plugin's own manifest. */
  readonly skills?: unknown
  /** Whether the plugin's manifest counts too. Default true. */
  readonly strict?: boolean
}

/**
 * Returns a tree whose skills are those of one plugin.
 *
 * - with a plugin.json of Agent Plugins: the folders directly in `skills/`
 * - otherwise, as Claude Code has it: those, and what `skills` in `.claude-plugin/plugin.json` and in the marketplace name;
 *   where the marketplace says `strict: false` and names some, these alone; and a SKILL.md at the top if there is nothing else
 * @param root the plugin's folder, from the top of the tree
 * @throws {SkillError} ORIGIN_REFUSED, SKILL_NOT_FOUND
 */
export async function pluginTree(
  source: string,
  tree: OriginTree,
  root: string,
  { skills: listed, strict = true }: PluginListing = {},
): Promise<OriginTree> {
  if (root !== '' && !tree.entries.some(({ path }) => path.startsWith(`${root}/`))) {
    throw refused(source, `there is no folder ${showName(root)}, where the plugin is said to be.`, root)
  }
  const own = joinPath(root, 'plugin.json')
  const portable = await readJsonFile(source, tree, own)
  if (portable !== undefined && isAgentPlugin(portable)) {
    const diagnostics = checkAgentPlugin(source, own, portable)
    const folders = childrenOf(tree, joinPath(root, 'skills'))
    return withFolders(source, { ...tree, diagnostics: [...tree.diagnostics, ...diagnostics] }, root, folders)
  }
  const manifestPath = joinPath(root, '.claude-plugin/plugin.json')
  const manifest: JsonObject = (await readJsonFile(source, tree, manifestPath)) ?? {}
  if (!strict && manifest['skills'] !== undefined) {
    const reason = `the marketplace alone defines the plugin, and ${manifestPath} names skills too.`
    throw refused(source, reason, manifestPath)
  }
  const named = [
    ...namedFolders(source, tree, root, manifest['skills'], manifestPath),
    ...namedFolders(source, tree, root, listed, 'the marketplace'),
  ]
  const isWhole = !strict && listed !== undefined
  const folders = isWhole ? named : [...childrenOf(tree, joinPath(root, 'skills')), ...named]
  const isSkill = folders.length === 0 && !isWhole && hasManifest(tree, root)
  return withFolders(source, tree, root, isSkill ? [root] : folders)
}

function withFolders(source: string, tree: OriginTree, root: string, folders: readonly string[]): OriginTree {
  if (folders.length > 0) return { ...tree, folders: [...new Set(folders)] }
  const place = root === '' ? 'its top' : showName(root)
  throw new SkillError('SKILL_NOT_FOUND', `The plugin of ${showName(source)} at ${place} has no skills.`)
}

function namedFolders(
  source: string,
  tree: OriginTree,
  root: string,
  value: unknown,
  where: string,
): readonly string[] {
  if (value === undefined) return []
  return (Array.isArray(value) ? value : [value]).flatMap((each: unknown) => {
    const named = pluginPath(each)
    if ('problem' in named) {
      throw refused(source, `${where} names ${showName(String(each).slice(0, 200))} as skills: ${named.problem}.`)
    }
    const folder = joinPath(root, named.path)
    const found = hasManifest(tree, folder) ? [folder] : childrenOf(tree, folder)
    if (found.length > 0) return found
    throw refused(source, `${where} names ${showName(String(each).slice(0, 200))}, where there is no skill.`)
  })
}

function hasManifest(tree: OriginTree, folder: string): boolean {
  const path = joinPath(folder, 'SKILL.md')
  return tree.entries.some((entry) => entry.path === path)
}

/** The folders directly in a folder that hold a SKILL.md. */
export function childrenOf(tree: OriginTree, folder: string): readonly string[] {
  const prefix = folder === '' ? '' : `${folder}/`
  const depth = joinPath(folder, 'name/SKILL.md').split('/').length
  return tree.entries
    .filter(({ path }) => path.startsWith(prefix) && path.endsWith('/SKILL.md') && path.split('/').length === depth)
    .map(({ path }) => path.slice(0, -'/SKILL.md'.length))
}
