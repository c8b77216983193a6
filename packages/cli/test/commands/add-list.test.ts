import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { inProcess, manifest, temporaryFolder, write } from '../command.ts'

it('[LIB-10, LIB-12] lists a place with what is wrong in it, and a refusal says how to go on without the broken one', async () => {
  const root = await temporaryFolder()
  const cwd = join(root, 'project')
  await write(root, { 'project/package.json': '{}' })
  const command = (...args: readonly string[]) => inProcess(args, { cwd })
  const installed = (path: string): string => join(cwd, '.agents/skills', path)
  await write(join(cwd, '../market'), {
    'plugins/office/skills/docx/SKILL.md': manifest('docx'),
    'plugins/deploy/skills/ship/SKILL.md': '---\nname: ship\n---\nNo description.\n',
    'tests/fixtures/skills/sample/SKILL.md': manifest('sample'),
  })
  const listed = await command('add', '../market', '--list')
  expect(listed).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('docx  plugins/office/skills/docx') as string,
  })
  expect(listed.stdout).toContain('✗ ship')
  expect(listed.stdout).not.toContain('sample')
  const json = await command('add', '../market', '--list', '--json')
  expect(JSON.parse(json.stdout)).toMatchObject({
    skills: [{ name: 'ship', problem: expect.any(String) as string }, { name: 'docx' }],
  })
  const refused = await command('add', '../market', '--yes')
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('To go on without: --skill docx') as string,
  })
  expect(existsSync(installed('docx'))).toBe(false)
  expect(await command('add', '../market', '--skill', 'docx', '--yes')).toMatchObject({ code: 0 })
  expect(existsSync(installed('docx/SKILL.md'))).toBe(true)
  expect(await command('install', '--frozen')).toMatchObject({ code: 0 })
  expect(await command('add', '../nowhere', '--list')).toMatchObject({ code: 1 })
})
