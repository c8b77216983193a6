import { memorySource } from '../../../src/catalog/memory-source.ts'
import type { Manifest } from '../../../src/ports/manifest.ts'
import type { Skill } from '../../../src/ports/skill.ts'
import type { CandidateSkill } from '../../../src/session/turn/turn.ts'
import { openRepertoire } from '../../../src/repertoire/open-repertoire.ts'

/** A skill of nothing but triggers. */
export function withTriggers(name: string, triggers: Partial<Manifest['triggers']>): CandidateSkill {
  const all = { keywords: [], verbs: [], patterns: [], ...triggers }
  return { name, manifest: { type: 'instruction', context: 'inherit', triggers: all } }
}

/** A skill as the catalog reads it. */
export async function readSkill(name: string, fields: string): Promise<Skill> {
  const text = `---\nname: ${name}\ndescription: d\n${fields}\n---\nBody.\n`
  const sources = [memorySource({ layer: 'project', skills: { [name]: { 'SKILL.md': text } } })]
  const { catalog } = await openRepertoire({ sources })
  return catalog.get(name)
}
