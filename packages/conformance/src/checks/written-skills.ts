import { memorySource, type SkillSource } from '@repertoire/core'
import { manifestOf } from './many-skills.ts'

/** A skill as a check writes it. */
export interface WrittenSkill {
  readonly body: string
  /** Further lines of the frontmatter: `context: fork`. */
  readonly fields?: readonly string[]
  /** Further files, by their paths. */
  readonly files?: Readonly<Record<string, string>>
}

/** Skills by their names, as one source. */
export function writtenSkills(skills: Readonly<Record<string, WrittenSkill>>): SkillSource {
  const folders = Object.entries(skills).map(([name, { body, fields = [], files = {} }]) => {
    const lines = fields.map((field) => `${field}\n`).join('')
    return [name, { 'SKILL.md': manifestOf(name, `The skill ${name}.`, body, lines), ...files }]
  })
  return memorySource({ layer: 'project', id: 'written', skills: Object.fromEntries(folders) })
}
