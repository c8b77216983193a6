import { type SkillFolder } from '@repertoire/core'
import { digestFolder } from '@repertoire/core/authoring'
import { skillFolder } from '@repertoire/core/node'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inProcess, manifest, temporaryFolder, write } from '../command.ts'

const FIELDS = [
  'allowed-tools: Read Bash(git:*)',
  'license: MIT',
  'metadata:',
  '  level: beginner',
  'disable-model-invocation: true',
  'when_to_use: When a form comes.',
  '',
].join('\n')

async function digestOf(folder: SkillFolder): Promise<string> {
  return digestFolder(folder, await folder.list(), await folder.readManifest())
}

describe('show', () => {
  it('[ACT-1, ASK-4] shows fields, rights, files by kind and the digest that consent is bound to', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, {
      'skills/pdf/SKILL.md': manifest('pdf', FIELDS),
      'skills/pdf/scripts/fill.py': '#!/usr/bin/env python3\n',
      'skills/pdf/references/guide.md': '# Guide\n',
      'skills/pdf/.env': 'SECRET=1\n',
    })
    await chmod(join(cwd, 'skills/pdf/scripts/fill.py'), 0o755)
    const digest = await digestOf(skillFolder(join(cwd, 'skills/pdf')))
    const ended = await inProcess(['show', 'pdf', 'skills'], { cwd })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    const rows = ended.stdout.split('\n').map((line) => line.trim().split(/ {2,}/))
    expect(rows).toEqual(
      expect.arrayContaining([
        ['pdf', 'project'],
        ['What pdf is for.'],
        ['location', join('skills', 'pdf')],
        ['allowed-tools', 'Read, Bash(git:*)'],
        ['when-to-use', 'When a form comes.'],
        ['disable-model-invocation', 'true'],
        ['metadata.level', 'beginner'],
        ['digest', digest],
        ['scripts', 'scripts/fill.py (executable)'],
        ['references', 'references/guide.md'],
        ['not available', '.env: hidden'],
      ]),
    )
    expect(ended.stdout).not.toContain('Do it.')
    const json = JSON.parse((await inProcess(['show', 'pdf', 'skills', '--json', '--body'], { cwd })).stdout) as unknown
    expect(json).toMatchObject({
      name: 'pdf',
      layer: 'project',
      location: join(cwd, 'skills/pdf'),
      allowedTools: ['Read', 'Bash(git:*)'],
      digest,
      resources: { scripts: [{ path: 'scripts/fill.py', executable: true }], references: [{ size: 8 }], assets: [] },
      diagnostics: [],
    })
    expect(json).toHaveProperty('body')
  })

  it('[ACT-2] says that there is no such skill, which name is similar, and which command explains why', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { 'skills/pdf-forms/SKILL.md': manifest('pdf-forms') })
    const ended = await inProcess(['show', 'pdf-form', 'skills'], { cwd })
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toContain('Did you mean "pdf-forms"?')
    expect(ended.stderr).toContain('repertoire explain pdf-form')
    const nowhere = await inProcess(['show', 'pdf', 'no-such-folder'], { cwd })
    expect(nowhere).toMatchObject({ code: 1, stdout: '' })
    expect(nowhere.stderr).toContain('PATH_NOT_FOUND')
  })

  it('[CAT-8] marks a draft as a draft', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { 'skills/pdf/SKILL.md': manifest('pdf', 'status: draft\n') })
    const ended = await inProcess(['show', 'pdf', 'skills'], { cwd })
    expect(ended.code).toBe(0)
    expect(ended.stdout.split('\n')[0]).toBe('pdf  project  draft')
  })

  it('[ABUSE-105] escapes control characters of a skill on the terminal', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, {
      'skills/pdf/SKILL.md': `${manifest('pdf', 'metadata:\n  level: "a\\eb"\n')}before \u001B[31m after\u202E\n`,
      'skills/pdf/assets/a\u001B[31m.txt': 'x',
    })
    const ended = await inProcess(['show', 'pdf', 'skills', '--body'], { cwd })
    expect(ended.code).toBe(0)
    // eslint-disable-next-line no-control-regex
    expect(ended.stdout).not.toMatch(/[\u001B\u202E]/)
    expect(ended.stdout).toContain('before \\u{1B}[31m after\\u{202E}')
  })

  it('[DISC-3, FRONT-5] names the folders that cannot be read, also where the skill is in another one', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { 'skills/pdf/SKILL.md': manifest('pdf'), 'skills/pdf/scripts/a.sh': 'echo a\n', file: '' })
    const named = /nowhere {2}PATH_NOT_FOUND[^]*file {2}ROOT_NOT_A_FOLDER/
    const shown = await inProcess(['show', 'pdf', 'skills', 'nowhere', 'file'], { cwd })
    expect([shown.code, shown.stderr]).toEqual([0, expect.stringMatching(named)])
    const json = await inProcess(['show', 'pdf', 'skills', 'nowhere', 'file', '--json'], { cwd })
    expect([json.code, json.stderr]).toEqual([0, expect.stringMatching(named)])
    expect(JSON.parse(json.stdout)).toMatchObject({ name: 'pdf' })
    const unknown = await inProcess(['show', 'csv', 'nowhere', 'file'], { cwd })
    expect([unknown.code, unknown.stdout, unknown.stderr]).toEqual([1, '', expect.stringMatching(named)])
    const roots = ['--root', 'nowhere', '--root', 'file', '--runner', 'virtual', '--yes']
    const run = await inProcess(['run', 'pdf', 'scripts/a.sh', ...roots], { cwd })
    expect([run.code, run.stdout, run.stderr]).toEqual([127, '', expect.stringMatching(named)])
  })
})
