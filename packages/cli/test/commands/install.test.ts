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
    'src/skills/pdf/SKILL.md': manifest('pdf', 'allowed-tools: Read Bash(make:*)\nhooks:\n  pre: ["./check.sh"]\n'),
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
      ['runs any code', 'Bash\\(make:\\*\\)'],
      ['scripts', 'scripts/get\\.sh \\(sh\\)'],
      ['hooks', '\\./check\\.sh'],
      ['hosts', 'api\\.example\\.com'],
    ] as const) {
      expect(preview.stdout).toMatch(new RegExp(`^ {4}${label} +${text}$`, 'm'))
    }
    expect(preview.stdout).toContain('any (it restricts nothing)')
    expect(preview.stdout).not.toContain('\u001B')
    expect(preview.stderr).toContain('There is no terminal to ask at. --yes agrees')
    const dry = await command('add', '../src', '--dry-run', '--yes')
    expect(dry).toMatchObject({ code: 0, stderr: expect.stringContaining('HIDDEN_CHARACTERS') as string })
    expect(dry.stdout).toContain('Nothing was written (--dry-run).')
    expect(existsSync(join(cwd, '.agents'))).toBe(false)
    expect(existsSync(join(cwd, 'skills-lock.json'))).toBe(false)
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
        { name: 'pdf', action: 'add', demands: { hooks: ['./check.sh'], runsCode: ['Bash(make:*)'] } },
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
      stdout: '2 skills as the lock has them, 0 otherwise\n',
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
    // A skill of one's own is not a finding, unless it is to be one.
    expect(await command('verify', 'own')).toMatchObject({ code: 0 })
    expect(await command('verify', 'own', '--strict')).toMatchObject({ code: 1 })
    expect(await command('verify', 'pfd')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no skill pfd') as string,
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

  it('[LIB-9, LIB-12] says of a torn lock where, and leaves it; of an unpinned skill that it was', async () => {
    const path = join(cwd, 'skills-lock.json')
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.slice(0, -20))
    for (const args of [['add', '../src', '--yes'], ['install'], ['update'], ['verify'], ['remove', 'pdf']]) {
      const { code, stderr } = await command(...args)
      expect([args, code]).toEqual([args, 1])
      expect(stderr).toMatch(/stays as it is: .*\(line \d+\)/)
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

  it('[LIB-9] verify --global says what the lock of other commands knows, and never writes it', async () => {
    const home = join(cwd, '../home')
    const lock = {
      version: 3,
      skills: {
        // As `git hash-object` and `git mktree` give it for this very file.
        notes: { source: 'a/b', sourceType: 'github', skillFolderHash: '6e5cdcd652cf8ccd6ae49bbbf99af6114f7ded92' },
        plain: { source: 'c/d', sourceType: 'well-known', skillFolderHash: 'f'.repeat(64) },
      },
    }
    const text = JSON.stringify(lock)
    await write(home, {
      '.agents/.skill-lock.json': text,
      '.agents/skills/notes/SKILL.md': manifest('notes'),
      '.agents/skills/notes/a/b.md': 'b\n',
      '.agents/skills/plain/SKILL.md': manifest('plain'),
    })
    const run = () => inProcess(['verify', '--global', '--json'], { cwd, env: { HOME: home } })
    expect(JSON.parse((await run()).stdout)).toMatchObject({
      ok: true,
      skills: [
        { name: 'notes', state: 'unchanged', source: 'a/b' },
        { name: 'plain', state: 'unknown' },
      ],
    })
    writeFileSync(join(home, '.agents/skills/notes/a/b.md'), 'c\n')
    expect(await run()).toMatchObject({ code: 1, stdout: expect.stringContaining('"changed"') as string })
    expect(readFileSync(join(home, '.agents/.skill-lock.json'), 'utf8')).toBe(text)
    writeFileSync(join(home, '.agents/.skill-lock.json'), '{"version":4,"skills":{}}')
    expect(await run()).toMatchObject({ code: 1, stderr: expect.stringContaining('version') as string })
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
      stdout: expect.stringContaining(`${number} skills as`) as string,
    })
  })
})
