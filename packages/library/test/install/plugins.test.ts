import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  applyPlan,
  findPlugin,
  planAdd,
  planInstall,
  planUpdate,
  readMarketplace,
  readSkillsLock,
} from '@repertoire/library'
import { expect, it } from 'vitest'
import { skillText } from '../origins/skill-text.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { put } from './project.ts'

/** A project beside a marketplace with one plugin. */
function makeMarket(): {
  readonly project: string
  readonly offer: (plugins: readonly object[]) => void
  readonly root: string
} {
  const root = temporaryFolder()
  const offer = (plugins: readonly object[]): void =>
    put(root, 'market/.claude-plugin/marketplace.json', JSON.stringify({ name: 'team', plugins }))
  offer([{ name: 'office', source: './plugins/office' }])
  put(root, 'market/plugins/office/skills/pdf/SKILL.md', skillText('pdf', 'First.'))
  put(root, 'project/package.json', '{}')
  return { project: join(root, 'project'), offer, root }
}

it('[LIB-10, LIB-6] a plugin is written into the lock with its marketplace, which says where its newest content is', async () => {
  const { project, offer, root } = makeMarket()
  const marketplace = await readMarketplace('../market', { cwd: project })
  const origin = await findPlugin(marketplace, 'office').open()
  await applyPlan(await planAdd({ project, origins: [origin] }))
  const entryOf = async () => (await readSkillsLock(project)).skills.get('pdf')
  expect(await entryOf()).toMatchObject({
    source: '../market',
    skillPath: 'plugins/office/skills/pdf/SKILL.md',
    repertoire: { plugin: { marketplace: '../market', name: 'office' } },
  })
  rmSync(join(project, '.agents'), { recursive: true })
  expect(await applyPlan(await planInstall({ project }))).toMatchObject({ written: ['pdf'] })
  expect(await planUpdate({ project })).toMatchObject({ writes: false })
  // It has moved, and what lies at its former place is nothing that the marketplace offers any more.
  put(root, 'market/elsewhere/skills/pdf/SKILL.md', skillText('pdf', 'Second.'))
  offer([{ name: 'office', source: './elsewhere' }])
  expect(await applyPlan(await planUpdate({ project }))).toMatchObject({ written: ['pdf'] })
  expect(await entryOf()).toMatchObject({ skillPath: 'elsewhere/skills/pdf/SKILL.md' })
  offer([{ name: 'other', source: './elsewhere' }])
  expect(await planUpdate({ project })).toMatchObject({ writes: false, skills: [{ because: 'gone' }] })
})

it('[LIB-10] a plugin that there is not is an error with the names of those that there are', async () => {
  const { offer, root } = makeMarket()
  const names = Array.from({ length: 25 }, (_, index) => `plugin-${index}`)
  offer(names.map((name) => ({ name, source: './plugins/office' })))
  const marketplace = await readMarketplace(join(root, 'market'))
  expect(() => findPlugin(marketplace, 'plugin-7x')).toThrow(
    /has no plugin "plugin-7x".*plugin-19 and 5 more.*Did you mean "plugin-7/,
  )
  expect(findPlugin(marketplace, 'plugin-24')).toMatchObject({ name: 'plugin-24' })
})

it.each([
  ['a plugin that is a text', { plugin: 'office' }, /"plugin"/],
  ['a folder that leads out', { folder: '../skills' }, /not a folder for skills/],
  ['the folder of git', { folder: '.git/skills' }, /not a folder for skills/],
  ['a folder of another name', { folder: 'src' }, /not a folder for skills/],
])('[LIB-9] a lock with %s is refused, with the line', async (_, more, reason) => {
  const project = temporaryFolder()
  const repertoire = { files: {}, ...more }
  writeFileSync(
    join(project, 'skills-lock.json'),
    JSON.stringify({ version: 1, skills: { pdf: { source: 'a/b', sourceType: 'github', repertoire } } }, null, 2),
  )
  const error = await planInstall({ project }).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'LOCK_INVALID', line: 4, message: expect.stringMatching(reason) as string })
})
