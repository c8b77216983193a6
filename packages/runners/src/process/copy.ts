import { chmod, lstat, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ScriptFile } from '@repertoire/core'
import { foldersOf } from '../job.ts'

/** The folders of one job on this machine. */
export interface JobFolders {
  /** A copy of the skill's files that only this user can read, without write permission. */
  readonly skill: string
  readonly temporary: string
  remove(): Promise<void>
}

/** Copies files into a new folder in `parent`. Where that fails, nothing is left. */
export async function copyFiles(parent: string, files: readonly ScriptFile[]): Promise<JobFolders> {
  const root = await mkdtemp(join(parent, 'job-'))
  const skill = join(root, 'skill')
  const temporary = join(root, 'tmp')
  const remove = (): Promise<void> => removeFolder(root)
  try {
    await mkdir(skill, 0o700)
    await mkdir(temporary, 0o700)
    const folders = [...new Set(files.flatMap(({ path }) => foldersOf(path)))]
    for (const folder of folders) await mkdir(join(skill, folder), { recursive: true, mode: 0o700 })
    for (const { path, bytes, executable } of files)
      await writeFile(join(skill, path), bytes, { flag: 'wx', mode: executable ? 0o500 : 0o400 })
    for (const folder of [...folders.toReversed(), '']) await chmod(join(skill, folder), 0o500)
  } catch (error) {
    await remove()
    throw error
  }
  return { skill, temporary, remove }
}

/** Removes a folder, also where rights to remove what is in it were taken away. Links are removed, not followed. */
export async function removeFolder(path: string): Promise<void> {
  await giveRights(path)
  await rm(path, { recursive: true, force: true, maxRetries: 3 })
}

async function giveRights(path: string): Promise<void> {
  const stats = await lstat(path).catch(() => undefined)
  if (stats?.isDirectory() !== true) return
  await chmod(path, 0o700).catch(() => undefined)
  for (const entry of await readdir(path, { withFileTypes: true }).catch(() => []))
    if (entry.isDirectory()) await giveRights(join(path, entry.name))
}
