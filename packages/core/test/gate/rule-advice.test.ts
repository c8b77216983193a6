import { describe, expect, test } from 'vitest'
import { memorySource } from '../../src/index.ts'
import { adviseSkill } from '../../src/authoring.ts'
import { parseSkill, type Diagnostic } from '@repertoire/skill-md/internal'

/** What the author of a skill with these rules is advised. */
async function advise(allowed: string): Promise<readonly Diagnostic[]> {
  const text = `---\nname: pdf\ndescription: Reads PDF files.\nallowed-tools: ${allowed}\n---\nRead it.\n`
  const source = memorySource({ layer: 'project', skills: { pdf: { 'SKILL.md': text } } })
  return adviseSkill(await parseSkill(text), source.scan()[0]!.folder, { path: 'pdf/SKILL.md' })
}

describe('advice on rules', () => {
  test('[GATE-11] names those that hand out all that a program can do', async () => {
    expect(await advise('Read Bash(git log:*) Bash(make:*) Bash(npm test) Bash(acme:*)')).toEqual([
      {
        code: 'RULE_UNBOUNDED',
        severity: 'info',
        path: 'pdf/SKILL.md',
        message:
          'allowed-tools has rules without bounds (Bash(make:*), Bash(acme:*)): the skill may do anything that make and acme can do on this machine.',
        hint: 'Write the commands that are needed in full, such as Bash(npm test): a host may refuse rules without bounds.',
      },
    ])
  })

  test('[GATE-10, GATE-15] names those that permit nothing, with the reason for the first', async () => {
    expect(await advise('Read Bash(git log:*) Bash(git log|cat:*) Bash(git*)')).toEqual([
      {
        code: 'RULE_PERMITS_NOTHING',
        severity: 'warning',
        path: 'pdf/SKILL.md',
        message:
          'allowed-tools has rules that permit nothing: Bash(git log|cat:*), Bash(git*). In Bash(git log|cat:*), its pattern is not one plain command.',
        hint: 'Write the command in full, or a prefix such as Bash(git log:*). Remove the rules that are not needed.',
      },
    ])
  })

  test('[GATE-11] names twenty, and says how many more there are', async () => {
    const rules = Array.from({ length: 23 }, (_, index) => `Bash(p${index}:*)`)
    expect((await advise(rules.join(' ')))[0]!.message).toContain('Bash(p19:*), and 3 more): the skill')
    expect(await advise('Read Write Grep(x)')).toEqual([])
    expect((await advise('Bash')).map(({ code }) => code)).toEqual(['RULE_UNBOUNDED'])
  })
})
