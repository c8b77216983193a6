import type { LockedSkill } from '../lock/skills-lock.ts'
import { findPlugin, readMarketplace } from '../origins/indexes/marketplace.ts'
import type { OriginOptions } from '../origins/options.ts'
import type { Origin } from '../origins/origin.ts'
import { resolveOrigin } from '../origins/resolve.ts'
import { originText } from '../origins/text.ts'
import { narrowedOrigin } from '../origins/tree-origin.ts'
import type { OriginTree } from '../origins/tree.ts'

/**
 * Finds the origin of an entry again. Where several skills of one origin are wanted, the entry has no `skillPath`.
 * @param revision what the lock has; absent: the newest is wanted
 */
export type Relocate = (entry: LockedSkill, revision?: string) => Promise<Origin>

/** The origins that this package knows. What is newer of a plugin its marketplace says, which may lead elsewhere meanwhile. */
export function relocateWith(project: string, given: OriginOptions = {}): Relocate {
  const options = { ...given, cwd: project }
  return async (entry, revision) => {
    const plugin = entry.repertoire?.plugin
    if (plugin !== undefined && revision === undefined) {
      return findPlugin(await readMarketplace(plugin.marketplace, options), plugin.name).open()
    }
    const origin = await resolveOrigin(originText(entry), { ...options, ...(revision !== undefined && { revision }) })
    // The rules of a package may show other skills than those of the plugin that it is.
    return plugin !== undefined && entry.sourceType === 'npm' ? narrowedOrigin(origin, everywhere) : origin
  }
}

function everywhere({ folders: _unused, ...tree }: OriginTree): Promise<OriginTree> {
  return Promise.resolve(tree)
}
