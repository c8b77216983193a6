import type { Diagnostic } from '@repertoire/core'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { REFERENCE_CASES } from '../../../core/test/manifest/reference-cases.ts'
import { inProcess, temporaryFolder, write } from '../command.ts'

interface ValidateJson {
  readonly valid: boolean
  readonly files: readonly { readonly path: string; readonly valid: boolean }[]
  readonly diagnostics: readonly Diagnostic[]
}

describe('validate, over the cases of the reference library', () => {
  it('[MAN-1, MAN-2, MAN-3] judges each file on a disk as it judges its text', async () => {
    const cwd = await temporaryFolder()
    const cases = REFERENCE_CASES.map(({ folder, fileName = 'SKILL.md', ...rest }, index) => ({
      ...rest,
      folder: join(cwd, String(index), folder),
      path: join(cwd, String(index), folder, fileName),
    }))
    for (const { folder, path, content } of cases) {
      await mkdir(folder, { recursive: true })
      await writeFile(path, content)
    }
    // A folder, for a folder is what the reference library takes.
    const folders = cases.map(({ folder }) => folder)
    const { code, stdout, stderr } = await inProcess(['validate', ...folders, '--profile', 'strict', '--json'], {
      cwd,
    })
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    const { valid, files, diagnostics } = JSON.parse(stdout) as ValidateJson
    expect(valid).toBe(false)
    const errorsOf = (path: string) =>
      diagnostics.filter((found) => found.path === path && found.severity === 'error').map((found) => found.code)
    expect(cases.map(({ title, path }) => ({ title, errors: errorsOf(path) }))).toEqual(
      cases.map(({ title, errors }) => ({ title, errors })),
    )
    const verdicts = new Map(files.map((file) => [file.path, file.valid]))
    expect(cases.map(({ title, path }) => ({ title, valid: verdicts.get(path) }))).toEqual(
      cases.map(({ title, errors }) => ({ title, valid: errors.length === 0 })),
    )
    expect(files).toHaveLength(cases.length)
  })

  it('[MAN-1, MAN-2] names a path that is missing, no folder, or without SKILL.md, and takes SKILL.md before skill.md', async () => {
    const cwd = await temporaryFolder()
    const skill = '---\nname: pdf\ndescription: A skill.\n---\n'
    await write(cwd, { 'notes.txt': 'x', 'empty/notes.txt': 'x', 'pdf/SKILL.md': skill, 'pdf/skill.md': 'no skill' })
    const args = ['validate', 'gone', 'notes.txt', 'empty', 'pdf', '--profile', 'strict', '--json']
    const { code, stdout } = await inProcess(args, { cwd })
    expect(code).toBe(1)
    const { files, diagnostics } = JSON.parse(stdout) as ValidateJson
    expect(files).toEqual([{ path: join(cwd, 'pdf/SKILL.md'), valid: true }])
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    expect(errors.map((found) => [found.path, found.code])).toEqual([
      [join(cwd, 'gone'), 'PATH_NOT_FOUND'],
      [join(cwd, 'notes.txt'), 'PATH_NOT_A_MANIFEST'],
      [join(cwd, 'empty'), 'PATH_WITHOUT_SKILL'],
    ])
  })
})
