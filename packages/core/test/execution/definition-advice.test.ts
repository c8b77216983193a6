import { describe, expect, it } from 'vitest'
import { memorySource, openRepertoire } from '../../src/index.ts'
import { adviseSkill, parseSkill } from '../../src/authoring.ts'
import { typed } from '../session/execution/execution-world.ts'

async function advise(skill: Record<string, string>) {
  const { catalog } = await openRepertoire({ sources: [memorySource({ layer: 'project', skills: { s: skill } })] })
  const document = await parseSkill(skill['SKILL.md']!, { path: 's/SKILL.md', folderName: 's' })
  const found = await adviseSkill(document, catalog.get('s').folder)
  return found.filter(({ severity }) => severity === 'error').map(({ code, message }) => `${code}: ${message}`)
}

describe('advice on what a skill executes', () => {
  it.each([
    [typed('s', 'template', 'a\n{% if b %}'), 'Line 2 of the template: It is not a Liquid template'],
    [typed('s', 'script', 'echo\nrm -rf /', '', 'sh'), 'Line 2 of the script holds a dangerous pattern'],
    [
      typed(
        's',
        'composite',
        'steps: [{ tool: Read, parameters: { a: "{{ b }}" } }]',
        'parameters: { c: string }\n',
        'yaml',
      ),
      'A plan takes no parameters',
    ],
    [typed('s', 'template', 'a', 'parameters:\n  properties: { a: { $ref: "#" } }\n'), 'The parameters use "$ref"'],
  ])('[RUN-2, RUN-4, RUN-6] tells an author before anybody calls the skill: %#', async (skill, message) => {
    expect(await advise(skill)).toEqual([expect.stringContaining(`DEFINITION_INVALID: ${message}`)])
  })

  it('[RUN-2, RUN-4, RUN-6] has nothing to say of skills that can be executed', async () => {
    for (const skill of [
      typed('s', 'template', '{{ a }}'),
      typed('s', 'script', 'echo'),
      typed('s', 'composite', 'steps: [{ tool: Read }]', '', 'yaml'),
    ]) {
      expect(await advise(skill)).toEqual([])
    }
  })
})
