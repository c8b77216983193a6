import { existsSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { beforeEach, describe, expect, it } from 'vitest'
import { inProcess, manifest, repertoire, temporaryFolder, write } from '../command.ts'

let cwd: string

const AGENTS = '.agents/skills'

/** Two skills beside the project, one of which asks for much. */
beforeEach(async () => {
  const root = await temporaryFolder()
  cwd = join(root, 'project')
  await write(root, {
    'project/package.json': '{}',
    'src/skills/pdf/SKILL.md': `${manifest('pdf', 'allowed-tools: Read Bash(make:*)\nhooks:\n  pre: ["./check.sh"]\n')}See [the API](https://api.example.com/x).\n`,
    'src/skills/pdf/scripts/get.sh': '#!/bin/sh\ncurl https://api.example.com/x\n',
    'src/skills/csv/SKILL.md': manifest('csv', '', '"Reads CSV \\e[2J files."'),
  })
})

const command = (...args: readonly string[]) => inProcess(args, { cwd })
const source = (path: string): string => join(cwd, '../src/skills', path)
const installed = (path: string): string => join(cwd, AGENTS, path)

describe('repertoire add', () => {
  it('[LIB-12] shows what each skill asks for, and writes nothing without a yes', async () => {
    const preview = await command('add', '../src')
    expect(preview.code).toBe(1)
    expect(preview.stdout).toContain(`in ${AGENTS}`)
    expect(preview.stdout).toContain(`+ pdf  new  from ${join(cwd, '../src')}`)
    for (const [label, text] of [
      ['tools', 'Read, Bash\\(make:\\*\\)'],
      ['scripts', 'scripts/get\\.sh'],
      ['hooks', '\\./check\\.sh'],
      ['addresses', 'https://api\\.example\\.com/x'],
    ] as const) {
      expect(preview.stdout).toMatch(new RegExp(`^ {4}${label} +${text}$`, 'm'))
    }
    expect(preview.stdout).toContain('any: it has no allowed-tools')
    expect(preview.stdout).not.toContain('\u001B')
    expect(preview.stderr).toContain('There is no terminal to ask at. --yes agrees')
    const dry = await command('add', '../src', '--dry-run', '--yes')
    expect(dry).toMatchObject({ code: 0, stderr: expect.stringContaining('HIDDEN_CHARACTERS') as string })
    expect(dry.stdout).toContain('Nothing was written: this only shows what would be done.')
    expect(existsSync(join(cwd, '.agents'))).toBe(false)
    expect(existsSync(join(cwd, 'skills-lock.json'))).toBe(false)
  })

  it('[FRONT-5] names the option of the command that permits what it refuses', async () => {
    const { stderr } = await command('add', 'git+file:///srv/skills', '--yes')
    expect(stderr).toContain('Name the folder instead.')
    const refused = await command('add', 'https://127.0.0.1:9/SKILL.md', '--yes')
    expect(refused.stderr).toContain('allow it with --allow-private')
    expect(refused.stderr).not.toContain('in code')
  })

  it('[LIB-12] says of owner/repo that a folder of that name is here', async () => {
    await write(cwd, { 'skills/mine/SKILL.md': manifest('mine') })
    // The branch is refused, so that nothing is fetched.
    const note = '"skills/mine" is read as a repository. For the folder here, write ./skills/mine'
    expect((await command('add', 'skills/mine#--x', '--yes')).stderr).toContain(note)
    expect((await command('add', 'skills/other#--x', '--yes')).stderr).not.toContain('is read as a repository')
    expect(await command('add', './skills/mine', '--yes')).toMatchObject({ code: 0, stderr: '' })
  })

  it('[LIB-12] asks at a terminal, and only yes installs', async () => {
    for (const [input, code] of [
      ['n\n', 1],
      ['', 1],
      ['yes\n', 0],
    ] as const) {
      const ended = await inProcess(['add', '../src', '--skill', 'pdf'], { cwd, terminal: { columns: 80 }, input })
      expect([input, ended.code]).toEqual([input, code])
      expect(ended.stderr).toContain('Install 1 skill? [y/N]')
      expect(existsSync(installed('pdf/SKILL.md'))).toBe(code === 0)
    }
    expect(existsSync(installed('csv'))).toBe(false)
  })

  it('[LIB-12] prints one JSON value, of a refusal too', async () => {
    const added = await command('add', '../src', '--yes', '--json', '--link', './.claude/skills/')
    expect(added).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(added.stdout)).toMatchObject({
      kind: 'add',
      written: true,
      skills: [
        { name: 'csv', action: 'add', origin: { sourceType: 'local' } },
        { name: 'pdf', action: 'add', demands: { hooks: ['./check.sh'], scripts: ['scripts/get.sh'] } },
      ],
      result: { written: ['csv', 'pdf'], problems: [] },
    })
    expect(readlinkSync(join(cwd, '.claude/skills/pdf'))).toBe('../../.agents/skills/pdf')
    const lock = JSON.parse(readFileSync(join(cwd, 'skills-lock.json'), 'utf8')) as Record<string, unknown>
    expect(lock).toMatchObject({ version: 1, skills: { pdf: { source: '../src', sourceType: 'local' } } })
    const refused = await command('add', '../nowhere', '--json')
    expect(refused.code).toBe(1)
    expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: 'ORIGIN_UNREACHABLE' } })
    expect(refused.stderr).toContain('there is no such folder')
  })

  it('[LIB-12] ends with 2 for a wrong command', async () => {
    for (const args of [
      ['add'],
      ['add', 'no such place'],
      ['add', '../src', '--to', '../x'],
      ['add', '../src', '--link', '.claude/commands'],
      ['install', '--timeout', 'x'],
      ['remove'],
    ]) {
      expect([args, (await command(...args)).code]).toEqual([args, 2])
    }
    expect(existsSync(join(cwd, '.agents'))).toBe(false)
  })
})

describe('repertoire install, update, remove, verify', () => {
  beforeEach(async () => {
    expect(await command('add', '../src', '--yes')).toMatchObject({ code: 0 })
  })

  it('[LIB-6, LIB-12] verify names every file that is not as the lock has it', async () => {
    expect(await command('verify')).toEqual({
      code: 0,
      stdout: '2 skills match the lock, 0 differ\n',
      stderr: '',
    })
    writeFileSync(installed('pdf/scripts/get.sh'), 'other')
    writeFileSync(installed('csv/new.md'), 'new')
    await write(cwd, { [`${AGENTS}/own/SKILL.md`]: manifest('own') })
    const { code, stdout } = await command('verify')
    expect(code).toBe(1)
    expect(stdout).toContain('✗ csv  changed  added new.md')
    expect(stdout).toContain('✗ pdf  changed  edited scripts/get.sh')
    expect(stdout).toContain('? own  unlocked  it is not in the lock')
    // A skill of one's own is not a finding.
    expect(await command('verify', 'own')).toMatchObject({ code: 0 })
    expect(await command('verify', 'pfd')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no skill "pfd"') as string,
    })
    const { skills } = JSON.parse((await command('verify', 'pdf', '--json')).stdout) as { skills: unknown[] }
    expect(skills).toMatchObject([{ name: 'pdf', state: 'changed', edited: ['scripts/get.sh'] }])
  })

  it('[LIB-6, LIB-12] install brings back what is missing, keeps what was edited, and frozen refuses it', async () => {
    rmSync(installed('csv'), { recursive: true })
    expect(await command('install')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 skill written.') as string,
    })
    expect(await command('install', '--frozen')).toMatchObject({ code: 0 })
    writeFileSync(installed('csv/SKILL.md'), manifest('csv', '', 'Mine.'))
    const kept = await command('install')
    expect(kept).toMatchObject({ code: 1, stdout: expect.stringContaining('csv  kept  edited SKILL.md') as string })
    const frozen = await command('install', '--frozen')
    expect(frozen.code).toBe(1)
    expect(frozen.stderr).toContain('"csv" differs from the lock (SKILL.md)')
    expect(await command('install', '--force')).toMatchObject({ code: 0 })
    expect(await command('verify')).toMatchObject({ code: 0 })
  })

  it('[LIB-6, LIB-12] update shows what is newer, asks, and keeps what was edited', async () => {
    expect(await command('update', '--check')).toMatchObject({ code: 0 })
    writeFileSync(source('pdf/scripts/get.sh'), '#!/bin/sh\ncurl https://other.example.com/x\n')
    writeFileSync(source('csv/new.md'), 'new')
    writeFileSync(installed('csv/mine.md'), 'mine')
    const check = await command('update', '--check')
    expect(check.code).toBe(1)
    expect(check.stdout).toMatch(/~ pdf {2}replaced[^]* changed +scripts\/get\.sh$/m)
    expect(check.stdout).toContain('csv  kept  added mine.md')
    expect(await command('update', 'pdf')).toMatchObject({ code: 1 })
    expect(readFileSync(installed('pdf/scripts/get.sh'), 'utf8')).toContain('api.example.com')
    expect(await command('update', 'pdf', '--yes')).toMatchObject({ code: 0 })
    expect(readFileSync(installed('pdf/scripts/get.sh'), 'utf8')).toContain('other.example.com')
    expect(existsSync(installed('csv/mine.md'))).toBe(true)
    expect(await command('update', 'psf')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Did you mean') as string,
    })
  })

  it('[LIB-12] outdated lists what could be updated, what is gone, and writes nothing', async () => {
    const all = await command('outdated')
    expect(all).toMatchObject({ code: 0, stdout: 'Everything is up to date.\n' })
    // An edit alone is nothing newer.
    writeFileSync(installed('csv/SKILL.md'), manifest('csv', '', 'Edited.'))
    expect(await command('outdated')).toMatchObject({ code: 0 })
    writeFileSync(source('csv/SKILL.md'), manifest('csv', '', 'Newer.'))
    rmSync(source('pdf'), { recursive: true })
    const before = readFileSync(join(cwd, 'skills-lock.json'), 'utf8')
    expect(await command('outdated')).toMatchObject({
      code: 1,
      stdout:
        'csv  newer files  (edited here: update keeps it)\npdf  its origin does not have it any more\n2 skills of 2 outdated. "repertoire update" fetches what is newer.\n',
    })
    const { stdout } = await command('outdated', 'csv', '--json')
    expect(JSON.parse(stdout)).toEqual({ skills: [{ name: 'csv', state: 'newer', edited: true }] })
    expect(readFileSync(join(cwd, 'skills-lock.json'), 'utf8')).toBe(before)
    expect(await command('outdated', 'pfd')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"pdf"') as string,
    })
  })

  it('[LIB-9, LIB-12] says that a lock is torn, and leaves it; of an unpinned skill that it was', async () => {
    const path = join(cwd, 'skills-lock.json')
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.slice(0, -20))
    for (const args of [['add', '../src', '--yes'], ['install'], ['update'], ['verify'], ['remove', 'pdf']]) {
      const { code, stderr } = await command(...args)
      expect([args, code]).toEqual([args, 1])
      expect(stderr).toMatch(/stays as it is: it is not JSON/)
    }
    expect(readFileSync(path, 'utf8')).toBe(text.slice(0, -20))
    const lock = JSON.parse(text) as { skills: Record<string, { repertoire?: unknown }> }
    delete lock.skills['pdf']!.repertoire
    writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
    expect((await command('verify')).stdout).toContain('pdf  unpinned')
    expect((await command('install', '--frozen')).stderr).toContain('"pdf" is unpinned')
    expect((await command('install')).stdout).toContain('= pdf  pinned  the lock had no digests of it')
    expect(await command('install', '--frozen')).toMatchObject({ code: 0 })
  })

  it('[LIB-12] remove takes the folder and the entry, and refuses what was edited', async () => {
    writeFileSync(installed('csv/mine.md'), 'mine')
    expect(await command('remove', 'csv')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('mine.md') as string,
    })
    expect(await command('remove', 'pdf', 'csv', '--force')).toMatchObject({ code: 0 })
    expect(existsSync(installed('pdf'))).toBe(false)
    expect(readFileSync(join(cwd, 'skills-lock.json'), 'utf8')).toBe('{\n  "version": 1,\n  "skills": {}\n}\n')
  })

  it('[LIB-6, LIB-12] a name is understood as everywhere: as its folder has it, or as its SKILL.md', async () => {
    await write(cwd, { 'odd/SKILL.md': manifest('PDF Forms') })
    expect(await command('add', './odd', '--yes')).toMatchObject({ code: 0 })
    const lock = JSON.parse(readFileSync(join(cwd, 'skills-lock.json'), 'utf8')) as { skills: Record<string, unknown> }
    // As the other command would have written it.
    const { 'pdf-forms': entry, ...others } = lock.skills
    writeFileSync(join(cwd, 'skills-lock.json'), JSON.stringify({ ...lock, skills: { ...others, 'PDF Forms': entry } }))
    for (const name of ['PDF Forms', 'pdf-forms']) {
      const { code, stdout } = await command('verify', name, '--json')
      expect([name, code]).toEqual([name, 0])
      expect(JSON.parse(stdout)).toMatchObject({ skills: [{ name: 'PDF Forms', state: 'unchanged' }], unknown: [] })
    }
  })

  it('[LIB-6, LIB-12] install names links that are not there, and makes them again', async () => {
    expect(await command('add', '../src', '--link', '.claude/skills')).toMatchObject({ code: 0 })
    expect(await command('install')).toMatchObject({ stdout: 'Nothing to do: everything is as it should be.\n' })
    // As a program leaves it that was killed behind the lock.
    rmSync(join(cwd, '.claude'), { recursive: true })
    expect(await command('verify')).toMatchObject({ code: 1 })
    expect((await command('install', '--dry-run')).stdout).toContain('.claude/skills/pdf is not there')
    expect(await command('install')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('2 links made again.') as string,
    })
    expect(readlinkSync(join(cwd, '.claude/skills/pdf'))).toBe('../../.agents/skills/pdf')
    expect(await command('verify')).toMatchObject({ code: 0 })
  })
})

describe('skills in another folder', () => {
  it('[LIB-9, LIB-12] are found there by every command, as the lock says', async () => {
    expect(await command('add', '../src', '--to', 'tools/skills', '--yes')).toMatchObject({ code: 0 })
    rmSync(join(cwd, 'tools'), { recursive: true })
    expect(await command('install')).toMatchObject({ code: 0 })
    expect(existsSync(join(cwd, 'tools/skills/pdf/SKILL.md'))).toBe(true)
    expect(await command('verify')).toMatchObject({ code: 0 })
    expect(await command('new', 'own', '--description', 'Mine.')).toMatchObject({ code: 0 })
    expect(existsSync(join(cwd, 'tools/skills/own/SKILL.md'))).toBe(true)
    expect(existsSync(join(cwd, '.agents'))).toBe(false)
    const other = await command('add', '../src/skills/pdf', '--to', '.agents/skills', '--yes')
    expect(other).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The skills of this project are in tools/skills') as string,
    })
  })

  it('[LIB-12] a folder that is not called skills is refused', async () => {
    for (const args of [
      ['add', '../src', '--yes'],
      ['new', 'own', '--description', 'Mine.'],
    ]) {
      expect(await command(...args, '--to', 'tools/mine')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('the last part of its path is "skills"') as string,
      })
    }
  })
})

describe('skills of a person', () => {
  const THEIRS = '.agents/.skill-lock.json'
  let home: string
  let text: string

  beforeEach(async () => {
    home = join(cwd, '../home')
    const theirs = {
      version: 3,
      skills: {
        // As `git hash-object` and `git mktree` give it for this very file.
        notes: { source: 'a/b', sourceType: 'github', skillFolderHash: '6e5cdcd652cf8ccd6ae49bbbf99af6114f7ded92' },
        plain: { source: 'c/d', sourceType: 'well-known', skillFolderHash: 'f'.repeat(64) },
      },
    }
    text = JSON.stringify(theirs)
    await write(home, {
      [THEIRS]: text,
      [`${AGENTS}/notes/SKILL.md`]: manifest('notes'),
      [`${AGENTS}/notes/a/b.md`]: 'b\n',
      [`${AGENTS}/plain/SKILL.md`]: manifest('plain'),
    })
  })

  const mine = (...args: readonly string[]) => inProcess([...args, '--global'], { cwd, env: { HOME: home } })

  it('[LIB-9, LIB-12] are added, verified, brought back and removed with a lock of their own, beside that of another command', async () => {
    expect(await mine('add', '../src', '--yes', '--link', '.claude/skills')).toMatchObject({ code: 0 })
    expect(readlinkSync(join(home, '.claude/skills/pdf'))).toBe('../../.agents/skills/pdf')
    const lock = JSON.parse(readFileSync(join(home, '.agents/skills-lock.json'), 'utf8')) as { skills: object }
    expect(Object.keys(lock.skills)).toEqual(['csv', 'pdf'])
    expect(existsSync(join(cwd, 'skills-lock.json'))).toBe(false)
    rmSync(join(home, AGENTS, 'pdf'), { recursive: true })
    expect(await mine('install')).toMatchObject({ code: 0 })
    expect(await mine('update', '--check')).toMatchObject({ code: 0 })
    const verified = await mine('verify', '--json')
    expect(verified.code).toBe(0)
    expect(JSON.parse(verified.stdout)).toMatchObject({
      ok: true,
      skills: [
        { name: 'csv', state: 'unchanged' },
        { name: 'notes', state: 'unlocked' },
        { name: 'pdf', state: 'unchanged' },
        { name: 'plain', state: 'unlocked' },
      ],
    })
    expect(await mine('verify', 'notes')).toMatchObject({ code: 0 })
    expect(await mine('verify', 'none')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no skill "none"') as string,
    })
    expect(await mine('remove', 'pdf')).toMatchObject({ code: 0 })
    expect(existsSync(join(home, '.claude/skills/pdf'))).toBe(false)
    // What is not ours is neither removed nor replaced.
    expect(await mine('remove', 'notes')).toMatchObject({ code: 1 })
    await write(cwd, { 'notes/SKILL.md': manifest('notes', '', 'Other notes.') })
    expect(await mine('add', './notes', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('of another command') as string,
    })
    expect(readFileSync(join(home, THEIRS), 'utf8')).toBe(text)
    expect(await mine('verify', '--project', '.')).toMatchObject({ code: 2 })
  })
})

describe('several commands at once', () => {
  it('[LIB-6, LIB-9] lose no skill and no entry', async () => {
    const number = process.env['CI'] === undefined ? 3 : 20
    const root = join(cwd, '../many')
    const names = Array.from({ length: number }, (_, index) => `skill-${index}`)
    await write(root, Object.fromEntries(names.map((name) => [`${name}/${name}/SKILL.md`, manifest(name)])))
    const ended = await Promise.all(names.map((name) => repertoire(['add', `../many/${name}`, '--yes'], { cwd })))
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(names.map(() => [0, '']))
    expect(await command('verify')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${number} skills match the lock, 0 differ`) as string,
    })
  })
})

describe('a locked skill', () => {
  it('[LIB-16] list, show and explain tell when it differs from its lock, or is missing', async () => {
    await command('add', '../src', '--yes')
    for (const words of [['list'], ['show', 'csv'], ['explain', 'csv']]) {
      const { code, stdout, stderr } = await command(...words)
      expect([code, stdout + stderr]).toEqual([0, expect.not.stringContaining('LOCK')])
    }
    writeFileSync(installed('csv/notes.md'), '')
    const differs = '"csv" is not what skills-lock.json says: added notes.md.'
    expect((await command('list')).stderr).toContain(differs)
    expect((await command('show', 'csv')).stderr).toContain(differs)
    expect((await command('show', 'pdf')).stderr).not.toContain(differs)
    expect((await command('explain', 'csv')).stdout).toContain(differs)
    const shown = JSON.parse((await command('show', 'csv', '--json')).stdout) as { diagnostics: unknown }
    expect(shown.diagnostics).toMatchObject([{ code: 'HIDDEN_CHARACTERS' }, { code: 'LOCK_DIFFERS' }])
    rmSync(installed('csv'), { recursive: true })
    for (const words of [['list'], ['show', 'csv'], ['explain', 'csv']]) {
      const { stdout, stderr } = await command(...words)
      expect(stdout + stderr).toMatch(/"csv" is in skills-lock\.json[^]*Run "repertoire install"/)
    }
  })
})
