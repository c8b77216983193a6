import type { Diagnostic } from '@repertoire/core'
import { execFileSync } from 'node:child_process'
import { appendFile, mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Ended, inProcess, manifest, repertoire, temporaryFolder, write } from '../command.ts'

interface ValidateJson {
  readonly valid: boolean
  readonly files: readonly { readonly path: string; readonly valid: boolean }[]
  readonly diagnostics: readonly Diagnostic[]
}

function parsed({ stdout }: Ended): ValidateJson {
  return JSON.parse(stdout) as ValidateJson
}

describe('validate', () => {
  it('[MAN-1] takes a skill, a SKILL.md and a folder of skills, and ends with 0 where all are valid', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { 'skills/pdf/SKILL.md': manifest('pdf'), 'skills/office/csv/SKILL.md': manifest('csv') })
    const pdf = { path: join(cwd, 'skills/pdf/SKILL.md'), valid: true }
    const csv = { path: join(cwd, 'skills/office/csv/SKILL.md'), valid: true }
    for (const [path, files] of [
      ['skills/pdf', [pdf]],
      ['skills/pdf/SKILL.md', [pdf]],
      ['skills', [pdf, csv]],
    ] as const) {
      const ended = await inProcess(['validate', path, '--json'], { cwd })
      expect(ended).toMatchObject({ code: 0, stderr: '' })
      expect(parsed(ended)).toEqual({ valid: true, files, diagnostics: [] })
    }
    expect(await repertoire(['validate', 'skills'], { cwd })).toEqual({
      code: 0,
      stdout: '2 files valid\n',
      stderr: '',
    })
  })

  it('[DISC-3] ends with 1 and names file, line and remedy', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, {
      'skills/good/SKILL.md': manifest('good'),
      'skills/open/SKILL.md': manifest('open', 'allowed-tools: Bash(git:*\n'),
    })
    const ended = await inProcess(['validate', 'skills'], { cwd })
    expect(ended).toMatchObject({ code: 1, stderr: '' })
    const lines = ended.stdout.split('\n')
    expect(lines[0]).toBe('1 error')
    expect(lines[1]).toBe(`  ${join('skills', 'open', 'SKILL.md')}:4  ALLOWED_TOOLS_INVALID`)
    expect(lines[2]).toMatch(/^ {4}.*Bash\(git:\*/)
    expect(lines[3]).toMatch(/^ {4}→ \S/)
    expect(lines.at(-2)).toBe('1 of 2 files not valid · 1 error')
    const json = parsed(await inProcess(['validate', 'skills', '--json'], { cwd }))
    expect(json.valid).toBe(false)
    expect(json.files).toEqual([
      { path: join(cwd, 'skills/good/SKILL.md'), valid: true },
      { path: join(cwd, 'skills/open/SKILL.md'), valid: false },
    ])
    expect(json.diagnostics).toMatchObject([
      { code: 'ALLOWED_TOOLS_INVALID', severity: 'error', path: join(cwd, 'skills/open/SKILL.md'), line: 4 },
    ])
  })

  it('[MAN-3] lets warnings pass, and is as strict as the profile', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { 'pdf/SKILL.md': manifest('other') })
    const ended = await inProcess(['validate', 'pdf'], { cwd })
    expect(ended.code).toBe(0)
    expect(ended.stdout).toContain('1 warning\n')
    expect(ended.stdout).toContain('NAME_FOLDER_MISMATCH')
    expect(ended.stdout).toMatch(/1 file valid · 1 warning\n$/)
    const strict = await inProcess(['validate', 'pdf', '--profile', 'strict', '--json'], { cwd })
    expect(strict.code).toBe(1)
    expect(parsed(strict).diagnostics).toMatchObject([{ code: 'NAME_FOLDER_MISMATCH', severity: 'error' }])
  })

  it('[MAN-17] gives advice for authors as notes, which make nothing invalid', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, {
      'pdf/SKILL.md': `${manifest('pdf')}See [the guide](references/guide.md).\n${'line\n'.repeat(500)}`,
    })
    const ended = await inProcess(['validate', 'pdf', '--json', '--profile', 'strict'], { cwd })
    expect(ended.code).toBe(0)
    const { valid, diagnostics } = parsed(ended)
    expect(valid).toBe(true)
    expect(diagnostics.map(({ severity }) => severity)).toEqual(diagnostics.map(() => 'info'))
    expect(diagnostics.map(({ code, path }) => [code, path])).toEqual(
      expect.arrayContaining([
        ['BODY_LONG', join(cwd, 'pdf/SKILL.md')],
        ['LINK_BROKEN', join(cwd, 'pdf/SKILL.md')],
      ]),
    )
  })

  it('[MAN-3] judges a file of another spelling, and only lenient takes it', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { 'pdf/skill.md': manifest('pdf') })
    const path = join(cwd, 'pdf/skill.md')
    const ended = await inProcess(['validate', 'pdf/skill.md', '--json'], { cwd })
    expect(ended.code).toBe(1)
    expect(parsed(ended)).toMatchObject({
      files: [{ path, valid: false }],
      diagnostics: [{ code: 'MANIFEST_MISNAMED', path }],
    })
    const lenient = await inProcess(['validate', 'pdf', '--profile', 'lenient', '--json'], { cwd })
    expect(lenient.code).toBe(0)
    expect(parsed(lenient)).toMatchObject({ valid: true, files: [{ path, valid: true }] })
  })

  it('[ABUSE-20] does not call a file valid that stands beside the SKILL.md and is never read', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { 'pdf/SKILL.md': manifest('pdf'), 'pdf/skill.md': manifest('pdf') })
    const ended = await inProcess(['validate', 'pdf/skill.md', '--json'], { cwd })
    expect(ended.code).toBe(1)
    expect(parsed(ended).diagnostics).toContainEqual(
      expect.objectContaining({ code: 'PATH_NOT_READ', path: join(cwd, 'pdf/skill.md') }),
    )
  })

  it.runIf(process.platform === 'linux').each(['pdf', 'pdf/SKILL.md', '.'])(
    '[ABUSE-20] reports other spellings beside the SKILL.md of each folder, once (validate %s)',
    async (path) => {
      const cwd = await temporaryFolder()
      const spellings = ['SKILL.md', 'Skill.md', 'skill.md'].map((name) => [`pdf/${name}`, manifest('pdf')])
      await write(cwd, {
        ...Object.fromEntries(spellings),
        'csv/SKILL.md': manifest('csv'),
        'csv/skills.md': 'Others.\n',
      })
      const ended = await inProcess(['validate', path, 'csv', '--json'], { cwd })
      expect(ended.code).toBe(0)
      const { diagnostics } = parsed(ended)
      expect(diagnostics).toMatchObject(
        ['Skill.md', 'skill.md'].map((name) => ({
          code: 'MANIFEST_SPELLINGS',
          severity: 'warning',
          path: join(cwd, 'pdf', name),
          hint: `Remove ${name}, or merge it into SKILL.md.`,
        })),
      )
      expect(diagnostics[0]?.message).toContain('holds both SKILL.md and Skill.md, and only SKILL.md is read.')
    },
  )

  it('[DISC-1] looks below a folder at any depth and in hidden folders, and leaves what lies inside a skill to it', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, {
      'repo/a/b/c/deep/SKILL.md': manifest('deep'),
      'repo/.claude/skills/hidden/SKILL.md': manifest('hidden'),
      'repo/node_modules/package/SKILL.md': 'broken\n',
      'skill/SKILL.md': manifest('skill'),
      'skill/assets/template/SKILL.md': 'to be filled in\n',
    })
    const repo = parsed(await inProcess(['validate', 'repo', '--json'], { cwd }))
    expect(repo.files.map(({ path }) => path)).toEqual([
      join(cwd, 'repo/.claude/skills/hidden/SKILL.md'),
      join(cwd, 'repo/a/b/c/deep/SKILL.md'),
    ])
    const skill = parsed(await inProcess(['validate', 'skill', '--json'], { cwd }))
    expect(skill).toEqual({ valid: true, files: [{ path: join(cwd, 'skill/SKILL.md'), valid: true }], diagnostics: [] })
  })

  it('[MAN-2, MAN-14] reads the whole file: what is wrong with the body is found as well', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { 'pdf/SKILL.md': manifest('pdf'), 'big/SKILL.md': manifest('big') + 'x'.repeat(1024 * 1024) })
    await appendFile(join(cwd, 'pdf/SKILL.md'), Buffer.from([0xff, 0x0a]))
    const ended = await inProcess(['validate', '.', '--json'], { cwd })
    expect(ended.code).toBe(1)
    expect(parsed(ended).files.map(({ valid }) => valid)).toEqual([false, false])
    expect(parsed(ended).diagnostics).toMatchObject([
      { code: 'MANIFEST_TOO_LARGE', severity: 'error', path: join(cwd, 'big/SKILL.md') },
      { code: 'ENCODING_INVALID', severity: 'error', path: join(cwd, 'pdf/SKILL.md'), line: 7 },
    ])
  })

  it('[DISC-6] judges each file once, and by itself: skills of one name are not a finding', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, {
      'a/pdf/SKILL.md': manifest('pdf', 'colour: red\n'),
      'b/pdf/SKILL.md': manifest('pdf'),
      'c/SKILL.md': 'broken\n',
    })
    const ended = await inProcess(['validate', 'a', 'a/pdf', './a/', 'b', '.', 'c/SKILL.md', '--json'], { cwd })
    const { files, diagnostics } = parsed(ended)
    expect(files.map(({ path }) => path)).toEqual(['a/pdf', 'b/pdf', 'c'].map((path) => join(cwd, path, 'SKILL.md')))
    expect(diagnostics.map(({ code }) => code)).toEqual(['FIELD_UNKNOWN', 'FRONTMATTER_MISSING'])
  })

  it('[DISC-3] names the path and what to do where it holds nothing to validate, and validates the others', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { 'pdf/SKILL.md': manifest('pdf'), 'notes/README.md': 'notes\n' })
    await mkdir(join(cwd, 'empty'))
    await symlink('a', join(cwd, 'b'))
    await symlink('b', join(cwd, 'a'))
    const paths = { gone: 'PATH_NOT_FOUND', 'pdf/SKILL.md/x': 'PATH_NOT_FOUND', empty: 'PATH_WITHOUT_SKILL' }
    const more = {
      notes: 'PATH_WITHOUT_SKILL',
      'notes/README.md': 'PATH_NOT_A_MANIFEST',
      'a/SKILL.md': 'PATH_UNREADABLE',
    }
    for (const [path, code] of Object.entries({ ...paths, ...more })) {
      const ended = await inProcess(['validate', path, 'pdf', '--json'], { cwd })
      expect(ended).toMatchObject({ code: 1, stderr: '' })
      const { valid, files, diagnostics } = parsed(ended)
      expect(valid).toBe(false)
      expect(files).toEqual([{ path: join(cwd, 'pdf/SKILL.md'), valid: true }])
      expect(diagnostics).toMatchObject([{ code, severity: 'error', path: join(cwd, path) }])
      expect(diagnostics[0]!.message).toContain(join(cwd, path))
      expect(diagnostics[0]!.hint).toBeTypeOf('string')
    }
    const shown = await inProcess(['validate', 'gone'], { cwd })
    expect(shown.code).toBe(1)
    expect(shown.stdout).toMatch(/^1 error\n {2}gone {2}PATH_NOT_FOUND\n.*\n {4}→ .*\n\nNot valid · 1 error\n$/)
  })

  it('[ABUSE-15] refuses a link, as a path and as a manifest, and names what the path leads to', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { 'pdf/SKILL.md': manifest('pdf'), 'secret.md': manifest('inside') })
    await symlink(join(cwd, 'pdf'), join(cwd, 'folder-link'))
    await symlink('pdf/SKILL.md', join(cwd, 'SKILL.md'))
    await mkdir(join(cwd, 'inside'))
    await symlink('../secret.md', join(cwd, 'inside/SKILL.md'))
    for (const [path, target] of [
      ['folder-link', 'pdf'],
      ['folder-link/', 'pdf'],
      ['SKILL.md', 'pdf/SKILL.md'],
    ] as const) {
      const ended = await inProcess(['validate', path, '--json'], { cwd })
      expect(ended.code).toBe(1)
      const [problem] = parsed(ended).diagnostics
      expect(problem).toMatchObject({ code: 'PATH_IS_LINK' })
      expect(problem!.hint).toContain(join(cwd, target))
    }
    for (const path of ['inside', 'inside/SKILL.md']) {
      const ended = await inProcess(['validate', path, '--json'], { cwd })
      expect(ended.code).toBe(1)
      expect(parsed(ended).diagnostics[0]!.path).toBe(join(cwd, 'inside/SKILL.md'))
      if (path === 'inside') expect(parsed(ended).diagnostics).toMatchObject([{ code: 'MANIFEST_LINKED' }])
      else expect(parsed(ended).diagnostics).toMatchObject([{ code: 'PATH_IS_LINK' }])
    }
  })

  it('[ABUSE-18] refuses a pipe without hanging, as a path and as a manifest', async () => {
    const cwd = await temporaryFolder()
    await mkdir(join(cwd, 'pdf'))
    execFileSync('mkfifo', [join(cwd, 'pdf/SKILL.md'), join(cwd, 'pipe')])
    for (const [path, at, code] of [
      ['pdf', 'pdf/SKILL.md', 'MANIFEST_NOT_A_FILE'],
      ['.', 'pdf/SKILL.md', 'MANIFEST_NOT_A_FILE'],
      ['pdf/SKILL.md', 'pdf/SKILL.md', 'PATH_NOT_A_FILE'],
      ['pipe', 'pipe', 'PATH_NOT_A_FILE'],
    ] as const) {
      const ended = await inProcess(['validate', path, '--json'], { cwd })
      expect(ended.code).toBe(1)
      expect(parsed(ended).diagnostics).toMatchObject([{ code, severity: 'error', path: join(cwd, at) }])
    }
  })

  it('[DISC-10] is not valid where a bound kept some folders from being seen', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { 'pdf/SKILL.md': manifest('pdf'), [`${'d/'.repeat(66)}SKILL.md`]: manifest('d') })
    const ended = await inProcess(['validate', '.', '--json'], { cwd })
    expect(ended.code).toBe(1)
    expect(parsed(ended)).toMatchObject({
      valid: false,
      files: [{ path: join(cwd, 'pdf/SKILL.md'), valid: true }],
      diagnostics: [{ code: 'SCAN_DEPTH_REACHED', severity: 'error' }],
    })
  })

  it('[DISC-3] shows every finding, however many there are', async () => {
    const cwd = await temporaryFolder()
    for (let index = 0; index < 25; index++) await write(cwd, { [`s${index}/SKILL.md`]: 'broken\n' })
    const shown = ({ stdout }: Ended): number => stdout.split('FRONTMATTER_MISSING').length - 1
    const ended = await inProcess(['validate', '.'], { cwd })
    expect(shown(ended)).toBe(25)
    expect(ended.stdout).toMatch(/\n25 of 25 files not valid · 25 errors\n$/)
  })

  it('ends with 2 without a path, or with an empty one', async () => {
    const cwd = await temporaryFolder()
    const none = await inProcess(['validate'], { cwd })
    expect(none).toMatchObject({ code: 2, stdout: '' })
    expect(none.stderr).toContain('repertoire validate --help')
    expect(await inProcess(['validate', ''], { cwd })).toMatchObject({ code: 2, stdout: '' })
  })
})
