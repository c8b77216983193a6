import { type Manifest, type Skill, memorySource, openRepertoire } from '../../../src/index.ts'
import type { CandidateSkill } from '../../../src/session/turn/turn.ts'

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
