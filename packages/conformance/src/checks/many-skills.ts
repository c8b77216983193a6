import { memorySource, type SkillSource } from '@repertoire/core'

/** The text of a manifest. */
export function manifestOf(name: string, description: string, body: string, fields = ''): string {
  return `---\nname: ${name}\ndescription: ${description}\n${fields}---\n${body}\n`
}

/** More skills than any list has room for. The last one by name has a body that tells it. */
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

/** A source whose skills a check changes while a conversation goes on; a reload then finds what is there by then. */
export function changingSkills(skills: Record<string, string>): SkillSource {
  return {
    id: 'changing',
    layer: 'project',
    scan(visitor) {
      const folders = Object.entries(skills).map(([name, text]) => [name, { 'SKILL.md': text }])
      return memorySource({ id: 'changing', layer: 'project', skills: Object.fromEntries(folders) }).scan(visitor)
    },
  }
}
