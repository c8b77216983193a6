import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { platform } from 'node:process'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openSkillFolder } from '../../../src/node/folder/skill.ts'
import { meansOf } from '../../../src/resources/survey-means.ts'

let base: string
let skill: string
const at = (path: string): string => join(skill, path)

beforeEach(() => {
  base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-stamps-'))
  skill = join(base, 'pdf')
  mkdirSync(at('scripts/deep'), { recursive: true })
  mkdirSync(at('empty'))
  writeFileSync(at('SKILL.md'), '---\nname: pdf\ndescription: Reads PDF files.\n---\nBody.\n')
  writeFileSync(at('scripts/deep/run.sh'), 'echo 1\n')
  writeFileSync(at('.env'), 'KEY=1\n')
})

afterEach(() => {
  vi.useRealTimers()
  rmSync(base, { recursive: true, force: true })
})

/** Surveys the folder an hour later, so that nothing in it was written a moment before. */
async function surveyLater(): Promise<() => boolean> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
  return isUntouchedBy(await openSkillFolder(skill).survey!())
}

const isUntouchedBy = (survey: Parameters<typeof meansOf>[0]): (() => boolean) => meansOf(survey)!.isUntouched

/** Makes a change in a later tick of the file system's clock than all before. */
function inLaterTick(change: () => void): void {
  const probe = join(base, 'probe')
  const tick = (): number => {
    writeFileSync(probe, '')
    return lstatSync(probe).ctimeMs
  }
  const first = tick()
  let now = first
  while (now === first) now = tick()
  change()
}

describe.runIf(platform === 'linux')('what the system says of a folder that was read', () => {
  it('[ASK-2, NFR-2] is that nothing was written there', async () => {
    const isUntouched = await surveyLater()
    expect([isUntouched(), isUntouched()]).toEqual([true, true])
  })

  it.each([
    ['other bytes of the same length', () => writeFileSync(at('scripts/deep/run.sh'), 'echo 2\n')],
    ['the same bytes once more', () => writeFileSync(at('scripts/deep/run.sh'), 'echo 1\n')],
    ['more of the manifest', () => appendFileSync(at('SKILL.md'), 'More.\n')],
    ['another hidden file', () => writeFileSync(at('.env'), 'KEY=2\n')],
    ['a bit for running it', () => chmodSync(at('scripts/deep/run.sh'), 0o755)],
    ['a file in a folder without any', () => writeFileSync(at('empty/new.md'), 'new')],
    ['a file less', () => unlinkSync(at('.env'))],
    [
      'another folder in its place',
      () => {
        renameSync(skill, join(base, 'old'))
        mkdirSync(skill)
        for (const name of ['SKILL.md', '.env', 'scripts', 'empty']) renameSync(join(base, 'old', name), at(name))
      },
    ],
    [
      'a link in its place',
      () => {
        renameSync(skill, join(base, 'old'))
        symlinkSync(join(base, 'old'), skill)
      },
    ],
    ['nothing any more', () => rmSync(skill, { recursive: true })],
  ])('[ASK-2] is no longer that after a change: %s', async (_what, change) => {
    const isUntouched = await surveyLater()
    expect(isUntouched()).toBe(true)
    inLaterTick(change)
    expect(isUntouched()).toBe(false)
  })

  it('[ASK-2] is not known where a file was written a moment before: its next change may have the same time', async () => {
    expect(isUntouchedBy(await openSkillFolder(skill).survey!())()).toBe(false)
  })

  it('[ASK-2] is not known where not all of it was read', async () => {
    symlinkSync('/etc', at('link'))
    expect((await surveyLater())()).toBe(false)
  })
})
