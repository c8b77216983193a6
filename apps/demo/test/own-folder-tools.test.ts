import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from './demo.ts'
import { ownFolderTools } from '../src/tools/own-folder-tools.ts'

let outside: string
let folder: string

async function use(tool: string, input: unknown): Promise<string> {
  const found = ownFolderTools(folder).find(({ name }) => name === tool)
  return String(await found!.execute(input, { callId: 'call_1_1' }))
}

describe('the tools of a live model', () => {
  beforeEach(async () => {
    outside = await temporaryFolder()
    folder = join(outside, 'work')
    await mkdir(join(folder, 'docs'), { recursive: true })
    await mkdir(join(folder, 'node_modules'))
    await writeFile(join(folder, 'docs/a.md'), 'Hello.\n')
    await writeFile(join(folder, '.env'), 'KEY=secret\n')
    await writeFile(join(folder, 'image'), Buffer.from([1, 0, 2]))
    await writeFile(join(folder, 'large'), 'x'.repeat(200 * 1024 + 1))
    await writeFile(join(outside, 'secret'), 'secret\n')
    await symlink(outside, join(folder, 'up'))
    await symlink(join(outside, 'secret'), join(folder, 'link'))
  })

  it('[DEMO-1] read text files below the folder, by relative and by absolute paths', async () => {
    expect(await use('Read', { file_path: 'docs/a.md' })).toBe('Hello.\n')
    expect(await use('Read', { file_path: './docs/a.md' })).toBe('Hello.\n')
    expect(await use('Read', { file_path: join(folder, 'docs/a.md') })).toBe('Hello.\n')
    expect(await use('Read', { file_path: 'image' })).toBe('image is not a text file.')
    expect(await use('Read', { file_path: 'large' })).toBe('large is larger than 200 KiB.')
    expect(await use('Read', { file_path: 'gone' })).toBe('gone is not there.')
    expect(await use('Read', { path: 'docs/a.md' })).toBe('Read needs "file_path", a text.')
  })

  it.each([
    '../secret',
    'docs/../../secret',
    '.env',
    './.env',
    'link',
    'up/secret',
    'up/work/.env',
    '',
    '/',
    '/etc/passwd',
  ])('[DEMO-1, ABUSE-18] do not read %j', async (path) => {
    const shown = await use('Read', { file_path: path })
    expect(shown).not.toMatch(/secret\n|root:/)
    expect(shown).toMatch(/is not shown|not a path below|is not there/)
  })

  it.skipIf(process.platform === 'win32')('[DEMO-1, ABUSE-18] do not hang on a pipe', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')])
    expect(await use('Read', { file_path: 'pipe' })).toMatch(/is not shown/)
    expect(await use('LS', { path: '.' })).not.toContain('pipe')
  })

  it('[DEMO-1] list folders below the folder, without what is hidden and without links', async () => {
    expect(await use('LS', { path: '.' })).toBe('docs/\nimage\nlarge')
    expect(await use('LS', { path: 'docs' })).toBe('a.md')
    expect(await use('LS', { path: folder })).toBe('docs/\nimage\nlarge')
    for (const path of ['..', '/', 'up', 'up/work', 'node_modules', join(outside)]) {
      expect(await use('LS', { path })).not.toContain('secret')
    }
    expect(await use('LS', { path: 'up' })).toBe('up is not shown.')
    expect(await use('LS', { path: 'gone' })).toBe('There is no folder gone.')
    expect(await use('LS', { path: 'image' })).toBe('image is not a folder that can be read.')
  })

  it('[DEMO-1] write nothing and run nothing', async () => {
    const before = await readdir(folder, { recursive: true })
    const mark = join(folder, 'mark')
    expect(await use('Write', { file_path: 'docs/a.md', content: 'Bye.' })).toMatch(/^Dry run: 4 characters would/)
    expect(await use('Bash', { command: `touch ${mark}` })).toMatch(/^Dry run: this command would have been run: touch/)
    expect(await readdir(folder, { recursive: true })).toEqual(before)
    expect(await readFile(join(folder, 'docs/a.md'), 'utf8')).toBe('Hello.\n')
    for (const { name, description } of ownFolderTools(folder)) {
      expect(description.includes('dry run')).toBe(name === 'Write' || name === 'Bash')
    }
  })
})
