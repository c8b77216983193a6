import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { applyPlan, openFileStore, planAdd, resolveOrigin } from '@repertoire/library'
import { expect, it } from 'vitest'
import { instruction } from '../../src/testing/case.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { harnessSkills, writePlugin } from './export-example.ts'

it('[ADPT-9] the programs of the page export installed skills', async () => {
  const [project, origin] = [temporaryFolder(), temporaryFolder()]
  const store = await openFileStore({ root: join(origin, 'skills'), layer: 'project' })
  await store.save(instruction('pdf'))
  await applyPlan(await planAdd({ project, origins: [await resolveOrigin(origin)] }))
  const lines: string[] = []
  expect(await harnessSkills(project, (line) => lines.push(line))).toMatchObject([{ name: 'pdf', content: 'Do it.\n' }])
  expect(lines).toEqual([expect.stringMatching(/^pdf loses consent: /)])
  const output = join(temporaryFolder(), 'plugin')
  await writePlugin(project, output)
  expect(existsSync(join(output, 'skills/pdf/SKILL.md'))).toBe(true)
})
