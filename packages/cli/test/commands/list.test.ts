import type { Diagnostic } from '@repertoire/core'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Ended, manifest, inProcess, repertoire, temporaryFolder, write } from '../command.ts'

interface ListJson {
  readonly skills: readonly {
    readonly name: string
    readonly description: string
    readonly location: string
    readonly layer: string
    readonly shadowedBy?: string
    readonly status?: string
  }[]
  readonly diagnostics: readonly Diagnostic[]
}

function parsed({ stdout }: Ended): ListJson {
  return JSON.parse(stdout) as ListJson
}

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
      configuration: { files: [], settings: {} },
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
    const ended = await repertoire(['list', '.', '--json'], { cwd })
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
      '.claude/skills/claude/SKILL.md': manifest('claude'),
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

  it('[DISC-4] lists by layer, highest first, or one layer alone', async () => {
    const cwd = await temporaryFolder()
    const env = { HOME: join(cwd, 'home') }
    await write(cwd, {
      'home/.agents/skills/pdf/SKILL.md': manifest('pdf'),
      'home/.agents/skills/mine/SKILL.md': manifest('mine'),
      'work/.agents/skills/pdf/SKILL.md': manifest('pdf'),
      'work/.agents/skills/ours/SKILL.md': manifest('ours'),
    })
    const at = { cwd: join(cwd, 'work'), env }
    const lines = async (...args: readonly string[]) =>
      (await inProcess(['list', '--layer', 'personal', '--layer', 'project', ...args], at)).stdout.split('\n')
    expect(await lines('--by-layer')).toEqual([
      'personal  2 skills',
      '  mine  What mine is for.',
      '  pdf   What pdf is for.',
      '',
      'project  1 skill',
      '  ours  What ours is for.',
      '',
      '3 skills · 1 shadowed (--all lists them) · 1 note',
      '',
    ])
    expect((await lines('--by-layer', '--all')).slice(4, 7)).toEqual([
      'project  1 skill',
      '  ours  What ours is for.',
      `  pdf   shadowed by ${join(cwd, 'home/.agents/skills/pdf')} · What pdf is for.`,
    ])
    expect(names(await inProcess(['list', '--json', '--layer', 'personal'], at))).toEqual(['mine', 'pdf'])
    const { code, stderr } = await inProcess(['list', '--layer', 'private'], at)
    expect([code, stderr.includes('Allowed choices are enterprise, personal, project, plugin, bundled.')]).toEqual([
      2,
      true,
    ])
    const behind = await inProcess(['list', '--json', '--layer', 'personal', 'no-such-folder'], at)
    expect([behind.code, names(behind)]).toEqual([1, []])
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
    const env = { HOME: home, USERPROFILE: home, REPERTOIRE_ENTERPRISE_SKILLS: enterprise }
    const { skills } = parsed(await repertoire(['list', '--json'], { cwd, env }))
    expect(skills.map(({ name, layer }) => `${name} ${layer}`)).toEqual([
      'audit enterprise',
      'mine personal',
      'ours project',
      'pdf personal',
      'review-a-skill bundled',
      'write-a-skill bundled',
    ])
  })

  it('[DISC-4] looks without a root and with --recursive into all of the current folder, and shows nothing twice', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, {
      '.agents/skills/usual/SKILL.md': manifest('usual'),
      '.claude/skills/claude/SKILL.md': manifest('claude'),
      'docs/skills/docs/SKILL.md': manifest('docs'),
    })
    // The current folder is the home folder: both layers reach ".agents/skills".
    const ended = await inProcess(['list', '--json', '-r'], { cwd, env: { HOME: cwd, USERPROFILE: cwd } })
    const { skills, diagnostics } = parsed(ended)
    expect(skills.map(({ name, layer }) => `${name} ${layer}`)).toEqual([
      'claude project',
      'docs project',
      'review-a-skill bundled',
      'usual personal',
      'write-a-skill bundled',
    ])
    expect(diagnostics).toEqual([])
  })

  it('[DISC-6] shows a skill once that several roots reach', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { 'a/b/pdf/SKILL.md': manifest('pdf'), 'a/b/broken/SKILL.md': 'broken\n' })
    const ended = await inProcess(['list', 'a/b', 'a', './a/b/', '--recursive', '--all', '--json'], { cwd })
    expect(names(ended)).toEqual(['pdf'])
    expect(parsed(ended).diagnostics).toMatchObject([{ code: 'FRONTMATTER_MISSING' }])
  })

  it('[MAN-3] reads by the profile that is asked for', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { 'pdf/skill.md': manifest('pdf'), 'csv/SKILL.md': manifest('csv', 'colour: red\n') })
    const listed = async (...profile: string[]) => names(await inProcess(['list', '.', '--json', ...profile], { cwd }))
    expect(await listed('--profile', 'strict')).toEqual([])
    expect(await listed('--profile', 'default')).toEqual(['csv'])
    expect(await listed('--profile', 'lenient')).toEqual(['csv', 'pdf'])
    expect(await listed()).toEqual(['csv'])
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
    expect(new Set(parsed(ended).skills.map(({ layer }) => layer))).toEqual(new Set(['bundled']))
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

  it('[ABUSE-16] looks into linked folders only with --follow-links, and says so without', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { 'elsewhere/pdf/SKILL.md': manifest('pdf') })
    await mkdir(join(cwd, 'skills'))
    await mkdir(join(cwd, '.agents'))
    await symlink(join(cwd, 'elsewhere/pdf'), join(cwd, 'skills/pdf'))
    await symlink(join(cwd, 'skills'), join(cwd, '.agents/skills'))
    // The project's usual folder is a link here, and that is said too.
    for (const [roots, said] of [
      [['skills'], ['SKILL_FOLDER_LINKED']],
      [[], ['ROOT_LINKED', 'SKILL_FOLDER_LINKED']],
    ] as const) {
      const plain = await inProcess(['list', ...roots, '--json'], { cwd })
      expect(names(plain)).not.toContain('pdf')
      expect(parsed(plain).diagnostics.map(({ code }) => code)).toEqual(said)
      const followed = await inProcess(['list', ...roots, '--json', '--follow-links'], { cwd })
      expect(parsed(followed).skills[0]).toMatchObject({ name: 'pdf', location: join(cwd, 'elsewhere/pdf') })
    }
  })

  it('[DISC-4] ends with 2 where the environment names an enterprise folder that anyone could make', async () => {
    const cwd = await temporaryFolder()
    const ended = await inProcess(['list', '--json'], { cwd, env: { REPERTOIRE_ENTERPRISE_SKILLS: 'skills' } })
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toMatch(/^error: .*\n {2}REPERTOIRE_ENTERPRISE_SKILLS .*\n.*absolute paths.*"skills"/s)
  })

  it('takes no empty root for the current folder', async () => {
    const cwd = await temporaryFolder()
    const ended = await inProcess(['list', ''], { cwd })
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toMatch(/^error: .*path.* is empty/)
  })
})

describe('list for a person', () => {
  it('[DISC-1] aligns name, layer and description, and counts', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { 'pdf/SKILL.md': manifest('pdf'), 'long-name/SKILL.md': manifest('long-name') })
    const ended = await inProcess(['list', '.'], { cwd })
    expect(ended.stdout).toBe(
      ['long-name  project  What long-name is for.', 'pdf        project  What pdf is for.', '', '2 skills', ''].join(
        '\n',
      ),
    )
    expect(ended).toMatchObject({ code: 0, stderr: '' })
  })

  it('[SHOW-7] shortens descriptions to the width of the terminal, and never cuts a wide character', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, {
      'pdf/SKILL.md': manifest('pdf', '', 'Fill in forms and merge files, one after the other, as often as is needed.'),
      'wide/SKILL.md': manifest('wide', '', '微信公众号文章自动发布工具支持多种格式转换和批量处理功能'),
    })
    const { stdout } = await inProcess(['list', '.'], { cwd, env: { NO_COLOR: '1' }, terminal: { columns: 50 } })
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      'pdf   project  Fill in forms and merge files, one…',
      'wide  project  微信公众号文章自动发布工具支持多种…',
    ])
    const full = await inProcess(['list', '.'], { cwd })
    expect(full.stdout).toContain('as often as is needed.')
  })

  it('[DISC-5] says what is not listed, and shows it with --all', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, {
      'one/pdf/SKILL.md': manifest('pdf'),
      'two/pdf/SKILL.md': manifest('pdf'),
      'one/raw/SKILL.md': manifest('raw', 'status: draft\n'),
    })
    const plain = await inProcess(['list', 'one', 'two'], { cwd })
    expect(plain.stdout).toContain('1 skill · 1 shadowed and 1 draft or disabled (--all lists them) · 1 warning\n')
    const all = await inProcess(['list', 'one', 'two', '--all'], { cwd })
    expect(all.stdout.split('\n').slice(0, 5)).toEqual([
      'pdf  project  What pdf is for.',
      `pdf  project  shadowed by ${join('one', 'pdf')} · What pdf is for.`,
      'raw  project  draft · What raw is for.',
      '',
      '1 skill · 1 shadowed · 1 draft or disabled · 1 warning',
    ])
  })

  it('[DISC-3] keeps diagnostics on stderr: worst first, with path, line, message and hint', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, {
      'a/SKILL.md': manifest('a', 'colour: red\n'),
      'b/SKILL.md': manifest('b', 'allowed-tools: Bash(git:*\n'),
      'c/SKILL.md': manifest('other'),
    })
    const ended = await repertoire(['list', '.'], { cwd })
    expect(ended.stdout).toContain('2 skills · 1 error, 1 warning, 1 note\n')
    expect(ended.stdout).not.toContain('SKILL.md')
    const lines = ended.stderr.split('\n')
    expect(lines.filter((line) => /^\d/.test(line))).toEqual(['1 error', '1 warning', '1 note'])
    const at = lines.findIndex((line) => line.startsWith(`  ${join('b', 'SKILL.md')}:4  ALLOWED_TOOLS_INVALID`))
    expect(at).toBeGreaterThan(0)
    expect(lines[at + 1]).toMatch(/^ {4}.*Bash\(git:\*/)
    expect(lines[at + 2]).toMatch(/^ {4}→ \S/)
  })

  it('[DISC-3] shows 20 diagnostics, says how many more there are, and shows all with --diagnostics', async () => {
    const cwd = await temporaryFolder()
    for (let index = 0; index < 25; index++) await write(cwd, { [`s${index}/SKILL.md`]: 'broken\n' })
    await write(cwd, { 'other/SKILL.md': manifest('another') })
    const shown = ({ stderr }: Ended): number => stderr.split('FRONTMATTER_MISSING').length - 1
    const some = await inProcess(['list', '.'], { cwd })
    expect(shown(some)).toBe(20)
    expect(some.stderr).toContain('25 errors\n')
    expect(some.stderr).toContain('and 5 more, not shown\n')
    expect(some.stderr).toContain('1 warning, not shown\n')
    expect(some.stderr).toContain('--diagnostics')
    const all = await inProcess(['list', '.', '--diagnostics'], { cwd })
    expect(shown(all)).toBe(25)
    expect(all.stderr).not.toContain('not shown')
  })

  it('[DISC-2] says where it looked and what to do where there are no skills', async () => {
    const cwd = await temporaryFolder()
    const env = { HOME: join(cwd, 'home'), USERPROFILE: join(cwd, 'home') }
    // In the layer bundled there always are some.
    const ended = await inProcess(['list', '--layer', 'personal', '--layer', 'project'], { cwd, env })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.stdout).toMatch(/^No skills found\n/)
    expect(ended.stdout).not.toContain('bundled')
    expect(ended.stdout).toContain(`\n  ${join('.agents', 'skills')}\n`)
    expect(ended.stdout).toContain(`\n  ${join('home', '.repertoire', 'skills')}\n`)
    expect(ended.stdout).toContain('--recursive')
    const deep = await inProcess(['list', '.', '--recursive'], { cwd })
    expect(deep.stdout).toContain(`\n  ${cwd}\n`)
    expect(deep.stdout).not.toContain('--recursive')
  })

  it('[OBS-4, ABUSE-93] lets no file write control or direction characters to the terminal', async () => {
    const cwd = await temporaryFolder()
    const hostile = String.raw`"\e]0;owned\a\e[2J \x9b31m \u202Eevil\u2028 \r\n1 skill"`
    await write(cwd, {
      'good/SKILL.md': manifest('good', '', hostile),
      'bad/SKILL.md': manifest(hostile),
      'field/SKILL.md': manifest('field', `${hostile}: 1\n`),
      '\u001B[31mred\u009B0m/SKILL.md': manifest('red'),
      'one/twin/SKILL.md': manifest('twin'),
    })
    for (const args of [
      ['list', '.', '--all', '-r', '--diagnostics'],
      ['validate', '.', '--diagnostics'],
    ]) {
      for (const { stdout, stderr } of [
        await repertoire(args, { cwd }),
        await inProcess([...args, '--json'], { cwd }),
      ]) {
        // oxlint-disable-next-line no-control-regex -- they are what is looked for
        expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u2028-\u202E]/)
        expect(stdout + stderr).toMatch(/u\{?001B|u\{1B\}|u001b/)
      }
    }
    const { skills } = parsed(await repertoire(['list', '.', '--json'], { cwd }))
    expect(skills.map(({ location }) => location)).toContain(join(cwd, '\u001B[31mred\u009B0m'))
  })

  it('colours on a terminal, and where it is told to', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { 'pdf/SKILL.md': manifest('pdf'), 'bad/SKILL.md': 'broken\n' })
    const escape = '\u001B['
    const onTty = await inProcess(['list', '.'], { cwd, terminal: {} })
    expect(onTty.stdout).toContain(escape)
    expect(onTty.stderr).toContain(escape)
    expect((await inProcess(['list', '.', '--json'], { cwd, terminal: {} })).stdout).not.toContain(escape)
  })
})
