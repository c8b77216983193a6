import { BUNDLED_SKILLS } from '../../bundled/skills.generated.js'
import { memorySource } from '../catalog/memory-source.ts'
import type { SkillSource } from '../ports/source.ts'

/**
 * The skills that ship inside this package, in the layer `bundled`. They are code, so nothing is read from a disk;
 * their locations are `memory:bundled/<name>`. See `ensureDefaults` of the entry for Node, which copies them to where a
 * person can change them.
 */
export function bundledSource(): SkillSource {
  const place = { layer: 'bundled', id: 'bundled' } as const
  let source: SkillSource | undefined
  return {
    ...place,
    scan() {
      source ??= memorySource({ ...place, skills: BUNDLED_SKILLS })
      return source.scan()
    },
  }
}
