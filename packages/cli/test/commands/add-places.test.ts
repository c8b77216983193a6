import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { inProcess, manifest, temporaryFolder, write } from '../command.ts'

let cwd: string
const command = (...args: readonly string[]) => inProcess(args, { cwd })
const installed = (path: string): string => join(cwd, '.agents/skills', path)

/** Writes a place with skills at these paths, each named as its folder, beside other files. */
async function place(paths: readonly string[], others: Readonly<Record<string, string>> = {}): Promise<string> {
  const skills = paths.map((path) => [`${path}/SKILL.md`, manifest(path.split('/').at(-1)!)])
  await write(join(cwd, '../place'), { ...Object.fromEntries(skills), ...others })
  return '../place'
}

beforeEach(async () => {
  cwd = join(await temporaryFolder(), 'project')
  await write(cwd, { 'package.json': '{}' })
})

describe('what is found in a place', () => {
  it.each([
    ['its root skill alone', [], { 'SKILL.md': manifest('whole') }, ['whole']],
    ['skills/', ['skills/a', 'skills/group/b'], {}, ['a', 'b']],
    ['.agents/skills', ['.agents/skills/a', 'elsewhere/x'], {}, ['a']],
    ['.claude/skills', ['.claude/skills/a', 'elsewhere/x'], {}, ['a']],
    ['plugins/*/skills', ['plugins/one/skills/a', 'plugins/two/skills/b', 'elsewhere/x'], {}, ['a', 'b']],
    ['any other folder', ['packages/one/a'], {}, ['a']],
  ])(
    '[LIB-10, ABUSE-160] %s, and neither tests, fixtures, examples nor hidden folders',
    async (_, paths, others, names) => {
      const ignored = ['tests/t', 'fixtures/f', 'examples/e', '.hidden/h']
      const from = await place([...paths, ...ignored], { 'tests/broken/SKILL.md': 'broken', ...others })
      const listed = await command('add', from, '--list', '--json')
      const { skills } = JSON.parse(listed.stdout) as { skills: readonly { name: string }[] }
      expect([listed.code, skills.map(({ name }) => name)]).toEqual([0, names])
      expect(await command('add', from, '--yes')).toMatchObject({ code: 0 })
      for (const name of names) expect(existsSync(installed(`${name}/SKILL.md`))).toBe(true)
      expect(await command('install', '--frozen')).toMatchObject({ code: 0 })
    },
  )

  it('[LIB-10] skills of tests and examples alone are named, and taken by --skill or by their folder', async () => {
    const from = await place(['tests/fixtures/a', 'examples/b'])
    const refused = await command('add', from, '--yes')
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(
      /offers no skill\..* such as examples\/b\. Take one with --skill, or name the folder\./,
    )
    expect(await command('add', from, '--skill', 'a', '--yes')).toMatchObject({ code: 0 })
    expect(await command('add', `${from}/examples`, '--yes')).toMatchObject({ code: 0 })
    expect([existsSync(installed('a')), existsSync(installed('b'))]).toEqual([true, true])
  })

  it('[LIB-10] a link to a file of the same skill is stored as that file', async () => {
    const from = await place(['skills/a'], { 'skills/a/AGENTS.md': 'Notes.\n' })
    symlinkSync('AGENTS.md', join(cwd, from, 'skills/a/CLAUDE.md'))
    expect(await command('add', from, '--yes')).toMatchObject({ code: 0 })
    expect(readFileSync(installed('a/CLAUDE.md'), 'utf8')).toBe('Notes.\n')
  })
})

describe('a refusal names a way on', () => {
  it.each([
    ['a name that is nearly there', ['--skill', 'pfd'], /Did you mean "pdf"\? --list shows what it offers/],
    ['another name', ['--skill', 'spreadsheets'], /It has csv, pdf\. --list shows what it offers/],
  ])('[LIB-10, LIB-12] of --skill with %s', async (_, args, way) => {
    const from = await place(['skills/pdf', 'skills/csv'])
    const { code, stderr } = await command('add', from, ...args, '--yes')
    expect([code, stderr]).toEqual([1, expect.stringMatching(way)])
    const json = await command('add', from, ...args, '--yes', '--json')
    expect(JSON.parse(json.stdout)).toMatchObject({
      error: { code: 'SKILL_NOT_FOUND', message: expect.stringMatching(way) as string },
    })
  })

  it('[LIB-10, LIB-12] where a link leads out of a skill: without it, or from a copy', async () => {
    const from = await place(['skills/a', 'skills/b'], { 'README.md': 'x' })
    symlinkSync('../../README.md', join(cwd, from, 'skills/a/CLAUDE.md'))
    const both = await command('add', from, '--yes')
    expect([both.code, both.stderr]).toEqual([
      1,
      expect.stringMatching(/skills\/a\/CLAUDE\.md is a link.* To go on without: --skill b\./),
    ])
    const one = await command('add', from, '--skill', 'a', '--yes')
    expect([one.code, one.stderr]).toEqual([
      1,
      expect.stringContaining('If the skill is not yours, correct a copy, and add its folder.'),
    ])
    expect(await command('add', from, '--skill', 'b', '--yes')).toMatchObject({ code: 0 })
  })

  it('[LIB-10, LIB-12] where two places have a skill of one name, or two folders of one place', async () => {
    const from = await place(['skills/a'])
    await write(join(cwd, '../other'), { 'skills/a/SKILL.md': manifest('a'), 'skills/b/SKILL.md': manifest('b') })
    const { code, stderr } = await command('add', from, '../other', '--yes', '--force')
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/"a" is in .*place and in .*other\. Add each place by itself/),
    ])
    await write(join(cwd, '../other'), { 'skills/more/SKILL.md': manifest('a') })
    expect((await command('add', '../other', '--yes')).stderr).toMatch(
      /Name the folder of the one that is meant\..* --skill b/,
    )
    expect(await command('add', '../other/skills/more', '--yes')).toMatchObject({ code: 0 })
  })

  it('[LIB-12] if nothing is there, or plain http is meant for this machine', async () => {
    const from = await place([], { 'README.md': 'x' })
    expect((await command('add', from, '--yes')).stderr).toMatch(/has no SKILL\.md\. Name the folder that holds it\./)
    expect((await command('add', 'http://127.0.0.1:9/SKILL.md', '--yes')).stderr).toContain(
      'allow it with --allow-private',
    )
    expect((await command('add', 'http://skills.example/SKILL.md', '--yes')).stderr).toContain(
      'only https is used. Write https.',
    )
  })
})
