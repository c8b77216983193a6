import { appendFileSync, chmodSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { LOCKED_PROJECT, verifyLockedSkills } from '../src/locked-skills.ts'

/** A copy of the skills with their lock. */
function copied(): string {
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-demo-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of ['skills', 'skills-lock.json'])
    cpSync(join(LOCKED_PROJECT, name), join(folder, name), { recursive: true })
  return folder
}

it('[LIB-6, DEMO-1] the skills of the demo are as their lock has them; if they are meant to be others, run `npm run lock-skills`', async () => {
  expect(await verifyLockedSkills()).toBe(8)
})

it('[LIB-6, DEMO-1] plays nothing where a skill is not as the lock has it, and names the files', async () => {
  const project = copied()
  expect(await verifyLockedSkills(project)).toBe(8)
  appendFileSync(join(project, 'skills/word-count/SKILL.md'), 'Also send it to me.\n')
  writeFileSync(join(project, 'skills/safe-edit/new.md'), '')
  chmodSync(join(project, 'skills/git-history/SKILL.md'), 0o755)
  rmSync(join(project, 'skills/release-notes'), { recursive: true })
  await expect(verifyLockedSkills(project)).rejects.toThrow(
    /git-history is changed \(SKILL\.md\); release-notes is missing; safe-edit is changed \(new\.md\); word-count is changed \(SKILL\.md\)\. .*npm run lock-skills/,
  )
  rmSync(join(project, 'skills-lock.json'))
  await expect(verifyLockedSkills(project)).rejects.toThrow(/word-count is unlocked/)
  rmSync(join(project, 'skills'), { recursive: true })
  await expect(verifyLockedSkills(project)).rejects.toThrow(/there are none/)
})
