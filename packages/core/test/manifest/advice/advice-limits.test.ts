import { describe, expect, it } from 'vitest'
import { memorySource } from '../../../src/index.ts'
import { parseSkill, type SkillFolder } from '@repertoire/skill-md/internal'
import { adviseSkill } from '@repertoire/skill-md'

/** What is advised on a skill with this body and these files. */
async function advise(
  body: string,
  files: Readonly<Record<string, string>> = {},
  change: (folder: SkillFolder) => SkillFolder = (folder) => folder,
) {
  const manifest = `---\nname: pdf\ndescription: Reads PDF files.\n---\n${body}`
  const source = memorySource({ layer: 'project', skills: { pdf: { 'SKILL.md': manifest, ...files } } })
  return adviseSkill(await parseSkill(manifest), change(source.scan()[0]!.folder))
}

describe('the limits of advice', () => {
  it('[MAN-17] takes a target of up to 1,024 characters for a path', async () => {
    const found = async (target: string) => (await advise(`[x](${target})`)).length
    expect(await found('x'.repeat(1_024))).toBe(1)
    expect(await found('x'.repeat(1_025))).toBe(0)
    expect(await found(`<${'x'.repeat(1_024)}>`)).toBe(1)
    expect(await found(`<${'x'.repeat(1_025)}>`)).toBe(0)
  })

  it('[MAN-17] takes the target of a definition of up to 1,024 characters for a path, under a label of up to 200', async () => {
    const found = async (target: string, label = 1) => (await advise(`[${'l'.repeat(label)}]: ${target}`)).length
    for (const [start, end] of [
      ['', ''],
      ['<', '>'],
    ] as const) {
      expect(await found(`${start}${'x'.repeat(1_024)}${end}`)).toBe(1)
      expect(await found(`${start}${'x'.repeat(1_025)}${end}`)).toBe(0)
    }
    expect(await found('gone.md', 200)).toBe(1)
    expect(await found('gone.md', 201)).toBe(0)
  })
})
