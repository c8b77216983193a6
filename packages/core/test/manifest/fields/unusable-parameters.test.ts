import { describe, expect, it } from 'vitest'
import { memorySource, openRepertoire } from '../../../src/index.ts'
import { parseSkill } from '@repertoire/skill-md/internal'

const skill = (name: string, type: string, parameters: string): string =>
  `---\nname: ${name}\ndescription: d\ntype: ${type}\nparameters:\n${parameters}---\n\`\`\`\necho\n\`\`\`\n`

const REFERENCE = '  type: object\n  properties:\n    a: { $ref: "#" }\n'

describe('parameters that no value is compared with', () => {
  it('[MAN-4, RUN-4] are in the diagnostics of the catalog with code and line, and the skill stays', async () => {
    const skills = {
      bad: { 'SKILL.md': skill('bad', 'template', REFERENCE) },
      pattern: { 'SKILL.md': skill('pattern', 'script', '  a: { type: string, pattern: "(?=x)" }\n') },
      good: { 'SKILL.md': skill('good', 'script', '  a: { type: string, pattern: "^x" }\n') },
    }
    const { catalog } = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] })
    expect(catalog.list().map(({ name }) => name)).toEqual(['bad', 'good', 'pattern'])
    const told = catalog.diagnostics.filter(({ code }) => code === 'PARAMETERS_UNUSABLE')
    expect(told).toMatchObject([
      {
        severity: 'warning',
        path: expect.stringContaining('bad/SKILL.md') as string,
        line: 5,
        message: 'The parameters use "$ref", which is not supported here.',
        hint: expect.stringContaining('every call of the skill is refused') as string,
      },
      {
        path: expect.stringContaining('pattern/SKILL.md') as string,
        message: expect.stringContaining('have a pattern') as string,
      },
    ])
  })

  it.each(['composite', 'script', 'template'])('[MAN-4] are told of the type %s', async (type) => {
    const { diagnostics } = await parseSkill(skill('a', type, REFERENCE))
    expect(diagnostics.map(({ code }) => code)).toContain('PARAMETERS_UNUSABLE')
  })

  it('[MAN-4] are not told of an instruction, which takes a text', async () => {
    const { diagnostics, manifest } = await parseSkill(skill('a', 'instruction', REFERENCE))
    expect(diagnostics).toEqual([])
    expect(manifest?.parameters).toBeDefined()
  })
})
