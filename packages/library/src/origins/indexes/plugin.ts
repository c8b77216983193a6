import { checkOriginOptions, type OriginOptions } from '../options.ts'
import type { Origin } from '../origin.ts'
import { resolveOrigin } from '../resolve.ts'
import { narrowedOrigin } from '../tree-origin.ts'
import { pluginTree } from './plugin-tree.ts'

/**
 * Resolves the skills of one plugin, by the rules of Agent Plugins 1.0 where it has their plugin.json, and otherwise by those
 * of Claude Code. Its servers, hooks and commands are not taken.
 * @param text as of `resolveOrigin`: the plugin's own folder
 * @throws {SkillError} as `resolveOrigin` does; later, of `fetch`, ORIGIN_REFUSED and SKILL_NOT_FOUND
 */
export async function resolvePlugin(text: string, options: OriginOptions = {}): Promise<Origin> {
  checkOriginOptions('resolvePlugin', text, options)
  const origin = await resolveOrigin(text, options)
  return narrowedOrigin(origin, (tree) => pluginTree(origin.resolved.source, tree, tree.base))
}
