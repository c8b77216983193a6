import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Ended, manifest, inProcess, repertoire, temporaryFolder, write } from '../command.ts'
import { parsed } from '../listed.ts'

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
    // Where a terminal does not know its size.
    const unknown = await inProcess(['list', '.'], { cwd, env: { NO_COLOR: '1' }, terminal: { columns: 0 } })
    expect(unknown.stdout).toBe(full.stdout)
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
    const ended = await inProcess(['list', '.'], { cwd })
    expect(ended.stdout).toContain('2 skills · 1 error, 1 warning, 1 note\n')
    expect(ended.stdout).not.toContain('SKILL.md')
    const lines = ended.stderr.split('\n')
    expect(lines.filter((line) => /^\d/.test(line))).toEqual(['1 error', '1 warning', '1 note'])
    const at = lines.findIndex((line) => line.startsWith(`  ${join('b', 'SKILL.md')}:4  ALLOWED_TOOLS_INVALID`))
    expect(at).toBeGreaterThan(0)
    expect(lines[at + 1]).toMatch(/^ {4}.*Bash\(git:\*/)
    expect(lines[at + 2]).toMatch(/^ {4}→ \S/)
  })

  it('[DISC-3] shows 20 diagnostics, and says how many more there are and where', async () => {
    const cwd = await temporaryFolder()
    for (let index = 0; index < 25; index++) await write(cwd, { [`s${index}/SKILL.md`]: 'broken\n' })
    await write(cwd, { 'other/SKILL.md': manifest('another') })
    const shown = ({ stderr }: Ended): number => stderr.split('FRONTMATTER_MISSING').length - 1
    const some = await inProcess(['list', '.'], { cwd })
    expect(shown(some)).toBe(20)
    expect(some.stderr).toContain('25 errors\n')
    expect(some.stderr).toContain('and 5 more; --json has all\n')
    expect(some.stderr).toContain('1 warning, not shown\n')
    expect(parsed(await inProcess(['list', '.', '--json'], { cwd })).diagnostics).toHaveLength(26)
  })

  it('[DISC-2] says where it looked and what to do if there are no skills', async () => {
    const cwd = await temporaryFolder()
    const env = { HOME: join(cwd, 'home'), USERPROFILE: join(cwd, 'home') }
    const ended = await inProcess(['list'], { cwd, env })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.stdout).toMatch(/^No skills found\n/)
    expect(ended.stdout).not.toContain('bundled')
    expect(ended.stdout).toContain(`\n  ${join('.agents', 'skills')}\n`)
    expect(ended.stdout).toContain(`\n  ${join('home', '.repertoire', 'skills')}\n`)
    expect(ended.stdout).toContain('--recursive')
    expect(ended.stdout).toContain('Folders above are not searched.')
    expect(ended.stdout).toContain('"repertoire add" installs skills of others.')
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
      ['list', '.', '--all', '-r'],
      ['validate', '.'],
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
    const { skills } = parsed(await inProcess(['list', '.', '--json'], { cwd }))
    expect(skills.map(({ location }) => location)).toContain(join(cwd, '\u001B[31mred\u009B0m'))
  })

  it('colours on a terminal, and if it is told to', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { 'pdf/SKILL.md': manifest('pdf'), 'bad/SKILL.md': 'broken\n' })
    const escape = '\u001B['
    const onTty = await inProcess(['list', '.'], { cwd, terminal: {} })
    expect(onTty.stdout).toContain(escape)
    expect(onTty.stderr).toContain(escape)
    expect((await inProcess(['list', '.', '--json'], { cwd, terminal: {} })).stdout).not.toContain(escape)
  })
})
