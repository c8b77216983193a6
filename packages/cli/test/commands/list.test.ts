import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Ended, manifest, inProcess, repertoire, temporaryFolder, write } from '../command.ts'
import { parsed } from '../listed.ts'

function names(ended: Ended): readonly string[] {
  return parsed(ended).skills.map(({ name }) => name)
}

describe('list --json', () => {
  it('[DISC-1] gives name, description, location and layer of every skill of a root, by name, on stdout alone', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { 'skills/pdf/SKILL.md': manifest('pdf'), 'skills/csv/SKILL.md': manifest('csv') })
    const ended = await repertoire(['list', 'skills', '--json'], { cwd })
    expect(ended.stderr).toBe('')
    expect(ended.code).toBe(0)
    expect(parsed(ended)).toEqual({
      skills: ['csv', 'pdf'].map((name) => ({
        name,
        description: `What ${name} is for.`,
        location: join(cwd, 'skills', name),
        layer: 'project',
      })),
      diagnostics: [],
      configuration: { settings: {} },
    })
  })

  it('[DISC-1] takes a root that is a skill itself', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { 'pdf/SKILL.md': manifest('pdf') })
    expect(names(await inProcess(['list', 'pdf', '--json'], { cwd }))).toEqual(['pdf'])
  })

  it('[DISC-3] lists the others beside a broken skill, and says what, where and what to do', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, {
      'good/SKILL.md': manifest('good'),
      'open/SKILL.md': manifest('open', 'allowed-tools: Bash(git:*\n'),
      'plain/SKILL.md': 'no frontmatter\n',
    })
    const ended = await inProcess(['list', '.', '--json'], { cwd })
    expect(ended.code).toBe(0)
    expect(names(ended)).toEqual(['good'])
    const { diagnostics } = parsed(ended)
    expect(diagnostics.map(({ severity, path, line }) => ({ severity, path, line }))).toEqual([
      { severity: 'error', path: join(cwd, 'open/SKILL.md'), line: 4 },
      { severity: 'error', path: join(cwd, 'plain/SKILL.md'), line: 1 },
    ])
    for (const { code, message, hint } of diagnostics) {
      expect(code).toMatch(/^[A-Z_]+$/)
      expect(message).not.toBe('')
      expect(hint).toBeTypeOf('string')
    }
  })

  it('[DISC-1] looks one level deep, and with --recursive at any depth and in hidden folders but .git', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, {
      'near/SKILL.md': manifest('near'),
      'a/b/c/d/deep/SKILL.md': manifest('deep'),
      '.other/skills/claude/SKILL.md': manifest('claude'),
      'sub/.agents/skills/agents/SKILL.md': manifest('agents'),
      '.git/skills/git/SKILL.md': manifest('git'),
      'node_modules/package/SKILL.md': manifest('package'),
      'sub/node_modules/other/SKILL.md': manifest('other'),
    })
    expect(names(await inProcess(['list', '.', '--json'], { cwd }))).toEqual(['near'])
    expect(names(await inProcess(['list', '.', '--json', '--recursive'], { cwd }))).toEqual([
      'agents',
      'claude',
      'deep',
      'near',
    ])
  })

  it('[DISC-5] leaves a shadowed skill out, and shows it with --all together with who shadows it', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, {
      'one/pdf/SKILL.md': manifest('pdf'),
      'two/pdf/SKILL.md': manifest('pdf', 'priority: 5\n', 'The one that wins.'),
    })
    const plain = await inProcess(['list', 'one', 'two', '--json'], { cwd })
    expect(parsed(plain).skills).toEqual([
      { name: 'pdf', description: 'The one that wins.', location: join(cwd, 'two/pdf'), layer: 'project' },
    ])
    expect(parsed(plain).diagnostics).toMatchObject([{ code: 'SKILL_SHADOWED', path: join(cwd, 'one/pdf/SKILL.md') }])
    const all = await inProcess(['list', 'one', 'two', '--json', '--all'], { cwd })
    expect(parsed(all).skills).toMatchObject([
      { name: 'pdf', location: join(cwd, 'two/pdf') },
      { name: 'pdf', location: join(cwd, 'one/pdf'), shadowedBy: join(cwd, 'two/pdf') },
    ])
    expect(parsed(all).skills[0]).not.toHaveProperty('shadowedBy')
  })

  it('[CAT-8] leaves draft and disabled skills out, and shows them with --all together with their status', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, {
      'live/SKILL.md': manifest('live'),
      'raw/SKILL.md': manifest('raw', 'status: draft\n'),
      'off/SKILL.md': manifest('off', 'status: disabled\n'),
    })
    expect(names(await inProcess(['list', '.', '--json'], { cwd }))).toEqual(['live'])
    const { skills } = parsed(await inProcess(['list', '.', '--json', '--all'], { cwd }))
    expect(skills.map(({ name, status }) => ({ name, status }))).toEqual([
      { name: 'live', status: undefined },
      { name: 'off', status: 'disabled' },
      { name: 'raw', status: 'draft' },
    ])
  })

  it('[DISC-4] looks without a root into the enterprise, personal and project folders, in this order', async () => {
    const home = await temporaryFolder()
    const cwd = await temporaryFolder()
    const enterprise = await temporaryFolder()
    await write(enterprise, { 'audit/SKILL.md': manifest('audit') })
    await write(home, {
      '.agents/skills/pdf/SKILL.md': manifest('pdf'),
      '.repertoire/skills/mine/SKILL.md': manifest('mine'),
    })
    await write(cwd, {
      '.agents/skills/audit/SKILL.md': manifest('audit'),
      '.agents/skills/pdf/SKILL.md': manifest('pdf'),
      '.repertoire/skills/ours/SKILL.md': manifest('ours'),
      'elsewhere/SKILL.md': manifest('elsewhere'),
    })
    const config = join(home, 'settings.json')
    await write(home, { 'settings.json': JSON.stringify({ roots: { enterprise: [enterprise] } }) })
    const env = { HOME: home, USERPROFILE: home }
    const { skills } = parsed(await inProcess(['list', '--json', '--config', config], { cwd, env }))
    expect(skills.map(({ name, layer }) => `${name} ${layer}`)).toEqual([
      'audit enterprise',
      'mine personal',
      'ours project',
      'pdf personal',
    ])
  })

  it('[DISC-4] looks without a root and with --recursive into all of the current folder', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, {
      '.agents/skills/usual/SKILL.md': manifest('usual'),
      '.other/skills/claude/SKILL.md': manifest('claude'),
      'docs/skills/docs/SKILL.md': manifest('docs'),
    })
    const ended = await inProcess(['list', '--json', '-r'], { cwd, env: { HOME: cwd, USERPROFILE: cwd } })
    const { skills, diagnostics } = parsed(ended)
    expect(skills.map(({ name, layer }) => `${name} ${layer}`)).toEqual([
      'claude project',
      'docs project',
      'usual project',
    ])
    expect(diagnostics).toEqual([])
  })

  it('[DISC-6] takes a root once, however it is written', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { 'a/pdf/SKILL.md': manifest('pdf'), 'a/broken/SKILL.md': 'broken\n' })
    const ended = await inProcess(['list', 'a', './a/', join(cwd, 'a'), '--all', '--json'], { cwd })
    expect(names(ended)).toEqual(['pdf'])
    expect(parsed(ended).diagnostics).toMatchObject([{ code: 'FRONTMATTER_MISSING' }])
  })

  it('[DISC-2] ends with 1 for a root that was named and is not there, and lists the others', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { 'skills/pdf/SKILL.md': manifest('pdf'), file: '' })
    const missing = await inProcess(['list', 'skils', 'skills', '--json'], { cwd })
    expect(missing.code).toBe(1)
    expect(names(missing)).toEqual(['pdf'])
    expect(parsed(missing).diagnostics).toMatchObject([{ code: 'PATH_NOT_FOUND', path: join(cwd, 'skils') }])
    const file = await inProcess(['list', 'file', '--json'], { cwd })
    expect(file.code).toBe(1)
    expect(parsed(file).diagnostics).toMatchObject([{ code: 'ROOT_NOT_A_FOLDER', path: join(cwd, 'file') }])
  })

  it('[DISC-2] is content where a usual folder is not there', async () => {
    const cwd = await temporaryFolder()
    const ended = await inProcess(['list', '--json'], { cwd })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(parsed(ended).diagnostics).toEqual([])
    expect(new Set(parsed(ended).skills.map(({ layer }) => layer))).toEqual(new Set())
  })

  it('[DISC-10] ends at a link that leads back, and says that links were not followed', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { 'pdf/SKILL.md': manifest('pdf') })
    await mkdir(join(cwd, 'sub'))
    await symlink(cwd, join(cwd, 'sub/loop'))
    const ended = await inProcess(['list', '.', '-r', '--json'], { cwd })
    expect(names(ended)).toEqual(['pdf'])
    expect(parsed(ended).diagnostics).toMatchObject([{ code: 'SKILL_FOLDER_LINKED', path: join(cwd, 'sub/loop') }])
  })

  it('[ABUSE-16] looks into linked folders only if the configuration says so, and says so if not', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { 'elsewhere/pdf/SKILL.md': manifest('pdf'), 'follow.json': '{ "followLinks": ["project"] }' })
    await mkdir(join(cwd, 'skills'))
    await mkdir(join(cwd, '.agents'))
    await symlink(join(cwd, 'elsewhere/pdf'), join(cwd, 'skills/pdf'))
    await symlink(join(cwd, 'skills'), join(cwd, '.agents/skills'))
    // The project's usual folder is a link here.
    for (const roots of [['skills'], []]) {
      const plain = await inProcess(['list', ...roots, '--json'], { cwd })
      expect(names(plain)).not.toContain('pdf')
      expect(parsed(plain).diagnostics.map(({ code }) => code)).toEqual(['SKILL_FOLDER_LINKED'])
      const followed = await inProcess(['list', ...roots, '--json', '--config', 'follow.json'], { cwd })
      expect(parsed(followed).skills[0]).toMatchObject({ name: 'pdf', location: join(cwd, 'elsewhere/pdf') })
    }
  })

  it('takes no empty root for the current folder', async () => {
    const cwd = await temporaryFolder()
    const ended = await inProcess(['list', ''], { cwd })
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toMatch(/^error: .*path.* is empty/)
  })
})

describe('list --scripts', () => {
  it('[RUN-12] names the interpreter of each script, or why nothing runs it, and promises no more', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, {
      'skills/pdf/SKILL.md': manifest('pdf'),
      'skills/pdf/scripts/fill.py': 'import missing\n',
      'skills/pdf/scripts/run.ts': '#!/usr/bin/env -S deno run\n',
      'skills/pdf/scripts/odd.sh': '#!/bin/rm -rf\n',
      'skills/pdf/scripts/notes.txt': 'text\n',
      'skills/csv/SKILL.md': manifest('csv'),
    })
    const { skills } = parsed(await inProcess(['list', 'skills', '--scripts', '--json'], { cwd }))
    const odd = expect.stringContaining('its first line names no interpreter that is known here') as string
    expect(skills).toMatchObject([
      { name: 'csv', scripts: [] },
      {
        name: 'pdf',
        scripts: [
          { path: 'scripts/fill.py', interpreter: 'python3' },
          { path: 'scripts/odd.sh', problem: odd },
          { path: 'scripts/run.ts', interpreter: 'deno run' },
        ],
      },
    ])
    const { code, stdout } = await inProcess(['list', 'skills', '--scripts'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^pdf .*\n {4}scripts\/fill\.py {2}python3\n {4}scripts\/odd\.sh {2}.*cannot be run/m)
    expect((await inProcess(['list', 'skills'], { cwd })).stdout).not.toContain('scripts/')
  })
})
