import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSkillFolder } from '../../../src/node/folder/skill.ts'
import { surveyAtOnce } from '../../../src/resources/survey-means.ts'

let base: string
let skill: string

beforeEach(() => {
  base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-at-once-'))
  skill = join(base, 'pdf')
  write('SKILL.md', '---\nname: pdf\ndescription: Reads PDF files.\n---\nBody.\n')
})

afterEach(() => rmSync(base, { recursive: true, force: true }))

function write(path: string, content: string): void {
  const file = join(skill, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

describe('a folder that is surveyed at once', () => {
  it('[ASK-2, NFR-2] is the same as one that is waited for', async () => {
    const folder = openSkillFolder(skill)
    const same = async (): Promise<void> => expect(surveyAtOnce(folder)).toMatchObject({ ...(await folder.survey!()) })
    await same()
    write('scripts/run.sh', 'echo\n')
    write('.env', 'KEY=1\n')
    write('node_modules/a/index.js', 'x')
    await same()
    symlinkSync('/etc', join(skill, 'link'))
    await same()
    expect(surveyAtOnce(folder)!.whole).toBe(false)
  })

  it.each([
    ['a file', 'data.csv'],
    ['the manifest', 'SKILL.md'],
  ])('[ASK-2] is waited for where %s is large', async (_what, path) => {
    write(path, `---\nname: pdf\ndescription: d\n---\n${'x'.repeat(300 * 1024)}`)
    const folder = openSkillFolder(skill)
    expect(surveyAtOnce(folder)).toBeUndefined()
    expect((await folder.survey!())!.files.has(path)).toBe(true)
  })

  it('[ASK-2] is waited for where one of its methods is another', async () => {
    const folder = openSkillFolder(skill)
    expect(surveyAtOnce({ ...folder, list: () => folder.list() })).toBeUndefined()
    expect(surveyAtOnce({ ...folder, survey: async () => undefined })).toBeUndefined()
  })

  it('[ASK-2] fails as one does that is waited for', async () => {
    const folder = openSkillFolder(skill)
    rmSync(skill, { recursive: true })
    expect(() => surveyAtOnce(folder)).toThrow(expect.objectContaining({ code: 'RESOURCE_NOT_FOUND' }))
    await expect(folder.survey!()).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
  })
})
