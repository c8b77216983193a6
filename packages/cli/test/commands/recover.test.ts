import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { inProcess, manifest, temporaryFolder, write } from '../command.ts'

const AGENTS = '.agents/skills'
let cwd: string

beforeEach(async () => {
  const root = await temporaryFolder()
  cwd = join(root, 'project')
  await write(root, { 'project/package.json': '{}', 'src/skills/pdf/SKILL.md': manifest('pdf') })
})

const command = (...args: readonly string[]) => inProcess(args, { cwd })

describe('a project without a lock', () => {
  it('[LIB-6, LIB-12, FRONT-5] fails verify, install and update, and names the lock above', async () => {
    for (const args of [
      ['verify'],
      ['verify', '--json'],
      ['install'],
      ['install', '--frozen'],
      ['update', '--check'],
      ['remove', 'pdf'],
    ]) {
      const { code, stderr } = await command(...args)
      expect([args, code]).toEqual([args, 1])
      expect(stderr).toContain(`There is no ${join(cwd, 'skills-lock.json')}`)
    }
    expect(await command('add', '../src', '--yes')).toMatchObject({ code: 0 })
    expect(await command('verify', '--project', AGENTS)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`There is one in ${cwd}`) as string,
    })
    await write(cwd, { 'skills-lock.json': '{ "version": 1, "skills": {} }' })
    const unlocked = await command('verify')
    expect([unlocked.code, unlocked.stdout]).toEqual([0, expect.stringContaining('? pdf  unlocked')])
    expect(await command('install', '--frozen')).toMatchObject({ code: 1 })
  })
})

describe('a project that is not there', () => {
  const NAMED = ['recover', 'recover --yes', 'verify', 'install', 'install --frozen', 'update', 'remove pdf --yes']
  const ALL = [...NAMED, 'add ../src --yes', 'new mine --description Mine.']

  it.each(ALL)('[LIB-12, FRONT-5] %s says that the project is missing, or is a file', async (args) => {
    await write(cwd, { file: '' })
    for (const [project, text] of [
      ['nowhere', /There is no (?:folder )?\S*nowhere/],
      ['file', /There is no \S*file\/skills-lock|This is a file and no folder: \S*file/],
      ['file/below', /There is no (?:folder )?\S*file\/below/],
    ] as const) {
      const ended = await command(...args.split(' '), '--project', project)
      expect([project, ended]).toEqual([
        project,
        { code: 1, stdout: ended.stdout, stderr: expect.stringMatching(text) as string },
      ])
      expect(ended.stderr).not.toMatch(/ {4}at |removes what cannot be finished/)
    }
  })

  it.each(ALL)('[LIB-12, ABUSE-125] %s names a file where the folder of the skills belongs', async (args) => {
    const lock =
      '{ "version": 1, "skills": { "pdf": { "source": "../src", "sourceType": "local", "computedHash": "" } } }'
    for (const file of ['.agents', AGENTS]) {
      const project = join(cwd, file.replace('/', '-'))
      await write(project, { 'skills-lock.json': lock, [file]: '' })
      const ended = await command(...args.split(' '), '--project', project)
      expect([file, ended.code, ended.stderr]).toEqual([
        file,
        1,
        expect.stringContaining(`${join(project, file)} is not a folder`),
      ])
    }
  })
})

describe('a file that came in place of a folder of ours', () => {
  it('[LIB-14, ABUSE-124] is named by verify, install --frozen and recover, and is not used', async () => {
    expect(await command('add', '../src', '--yes')).toMatchObject({ code: 0 })
    const state = join(cwd, AGENTS, '.repertoire')
    await rm(state, { recursive: true })
    await write(cwd, { [`${AGENTS}/.repertoire`]: 'not a folder' })
    for (const args of [['verify'], ['verify', '--json'], ['install', '--frozen'], ['recover'], ['recover', '--yes']]) {
      const { code, stdout, stderr } = await command(...args)
      expect([args, code, stdout + stderr]).toEqual([args, 1, expect.stringContaining(`${AGENTS}/.repertoire`)])
      expect(stderr).not.toContain('itself failed')
    }
    await rm(state)
    expect(await command('verify')).toMatchObject({ code: 0 })
  })
})

describe('an unfinished change', () => {
  const STATE = `${AGENTS}/.repertoire`

  it('[LIB-7, LIB-14, ABUSE-124] is named by list, verify and every command that writes, and ended by recover', async () => {
    expect(await command('add', '../src', '--yes')).toMatchObject({ code: 0 })
    expect(await command('recover')).toEqual({
      code: 0,
      stdout: 'Nothing is left of an unfinished change.\n',
      stderr: '',
    })
    await write(cwd, { [`${STATE}/new-pdf/SKILL.md`]: 'half' })
    await rename(join(cwd, AGENTS, 'pdf'), join(cwd, STATE, 'old-pdf'))
    const listed = await command('list', AGENTS)
    expect(listed.stdout + listed.stderr).toMatch(/its only copy.*repertoire recover/s)
    const verified = await command('verify')
    expect(verified.code).toBe(1)
    expect(verified.stdout).toContain(`✗ ${STATE}/old-pdf  pdf: its only copy: "repertoire recover" puts it back`)
    expect(verified.stdout).toContain(`✗ ${STATE}/new-pdf  pdf: content of an unfinished change`)
    for (const args of [['install'], ['install', '--frozen'], ['add', '../src', '--yes'], ['remove', 'pdf']]) {
      expect(await command(...args)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('"repertoire recover"') as string,
      })
    }
    expect(await command('recover')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('old-pdf') as string,
      stderr: expect.stringContaining('no terminal') as string,
    })
    expect(existsSync(join(cwd, STATE, 'old-pdf'))).toBe(true)
    const ended = await command('recover', '--yes', '--json')
    expect(ended.code).toBe(0)
    expect(JSON.parse(ended.stdout)).toMatchObject({
      recovered: true,
      leftovers: [
        { kind: 'new', isOnlyCopy: false },
        { kind: 'old', isOnlyCopy: true },
      ],
    })
    expect(await command('verify')).toMatchObject({ code: 0 })
    expect(await command('install', '--frozen')).toMatchObject({ code: 0 })
  })
})
