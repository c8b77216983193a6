import { memorySource, type SkillSource } from '@repertoire/core'

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

/** Creates a source whose skills a check can change during a conversation; a reload then finds the current ones. */
export function changingSkills(skills: Record<string, string>): SkillSource {
  return {
    id: 'changing',
    layer: 'project',
    scan() {
      const folders = Object.entries(skills).map(([name, text]) => [name, { 'SKILL.md': text }])
      return memorySource({ id: 'changing', layer: 'project', skills: Object.fromEntries(folders) }).scan()
    },
  }
}
