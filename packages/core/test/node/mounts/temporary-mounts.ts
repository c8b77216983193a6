import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { MountRequest, SkillMounts } from '../../../src/index.ts'
import { privateMounts } from '../../../src/node/index.ts'

/** A file of a folder that is mounted. */
export type MountFile = MountRequest['files'][number]

export const posix = process.platform !== 'win32'

export let base: string
export let root: string
export let mounts: SkillMounts

/** Creates private mounts in a temporary folder for each test of the calling file: files share modules, not hooks. */
export function useTemporaryMounts(): void {
  beforeEach(() => {
    base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-mounts-'))
    root = join(base, 'root')
    mounts = privateMounts({ root })
  })

  afterEach(() => rmSync(base, { recursive: true, force: true }))
}

export const file = (path: string, text = path, executable = false): MountFile => ({
  path,
  executable,
  read: () => Promise.resolve(new TextEncoder().encode(text)),
})
export const FILES = [file('SKILL.md'), file('scripts/deep/run.sh', 'echo', true), file('.env', 'SECRET=1')]
export const request = (task: string, skill = 'pdf', files: readonly MountFile[] = FILES) => ({
  task,
  skill,
  digest: 'd',
  files,
})
/** Everything below a folder. */
export const below = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted() : []
export const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8)
