import { memorySource, type SkillSource } from '@repertoire/core'

/** A skill as a check writes it. */
export interface WrittenSkill {
  readonly body: string
  /** Further lines of the frontmatter: `context: fork`. */
  readonly fields?: readonly string[]
  /** Further files, by their paths. */
  readonly files?: Readonly<Record<string, string>>
}

/** Skills by their names, as one source. The scripts of their hooks are written too. */
export function writtenSkills(skills: Readonly<Record<string, WrittenSkill>>): SkillSource {
  const folders = Object.entries(skills).map(([name, { body, fields = [], files = {} }]) => {
    const lines = fields.map((field) => `${field}\n`).join('')
    const hooks = [...lines.matchAll(/^ {2}(?:pre|post): \[(.*)\]$/gm)].flatMap(([, names = '']) => names.split(', '))
    const scripts = Object.fromEntries(hooks.map((hook) => [hook, '#!/bin/sh\n']))
    return [name, { 'SKILL.md': manifestOf(name, `The skill ${name}.`, body, lines), ...scripts, ...files }]
  })
  return memorySource({ layer: 'project', id: 'written', skills: Object.fromEntries(folders) })
}

/** Returns the text of a manifest. */
export function manifestOf(name: string, description: string, body: string, fields = ''): string {
  return `---\nname: ${name}\ndescription: ${description}\n${fields}---\n${body}\n`
}

/** Creates more skills than any list has room for. The body of each names it. */
export function manySkills(count = 500): SkillSource {
  const names = Array.from({ length: count }, (_, n) => `skill-${String(n).padStart(3, '0')}`)
  const skills = names.map((name) => [
    name,
    {
      'SKILL.md': manifestOf(
        name,
        `Handles ${name}. ${'Use it where a task needs it. '.repeat(20)}`,
        `Body of ${name}.`,
      ),
    },
  ])
  return memorySource({ layer: 'project', id: 'many', skills: Object.fromEntries(skills) })
}
