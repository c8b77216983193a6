import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openFileStore } from '@repertoire/library'
import { expect, it } from 'vitest'
import { instruction } from '../../src/testing/case.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { addSkills, restoreSkills } from './install-example.ts'

it('[LIB-12, ADPT-4] the program of the page adds skills after a yes, and restores them', async () => {
  const [project, origin] = [temporaryFolder(), temporaryFolder()]
  await (await openFileStore({ root: join(origin, 'skills'), layer: 'project' })).save(instruction('pdf'))
  expect(await addSkills(project, origin, () => Promise.resolve(false))).toBeUndefined()
  const asked: unknown[] = []
  const agrees = (plan: { readonly skills: readonly unknown[] }): Promise<boolean> => {
    asked.push(...plan.skills)
    return Promise.resolve(true)
  }
  expect(await addSkills(project, origin, agrees)).toMatchObject({ written: ['pdf'] })
  expect(asked).toMatchObject([{ name: 'pdf', action: 'add', demands: { scripts: [] } }])
  rmSync(join(project, '.agents'), { recursive: true })
  expect(await restoreSkills(project)).toMatchObject({ written: ['pdf'] })
  writeFileSync(join(project, '.agents/skills/pdf/SKILL.md'), 'edited')
  await expect(restoreSkills(project)).rejects.toMatchObject({ code: 'LOCK_MISMATCH' })
})
