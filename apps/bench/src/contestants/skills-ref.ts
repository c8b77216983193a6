import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { readProperties, toPrompt } from 'skills-ref'
import type { Contestant } from './contestant.ts'

interface Read {
  readonly folder: string
  readonly properties: Awaited<ReturnType<typeof readProperties>>
}

/** `skills-ref`, the reference library: it reads one folder, so the caller lists the folders. */
export function prepare(root: string): Contestant {
  return {
    scan: async () =>
      (await Promise.all((await foldersOf(root)).map(readFolder))).filter((skill) => skill !== undefined),
    scanAndList: async () => (await Promise.all((await foldersOf(root)).map(listFolder))).join('\n'),
    read: (skills: readonly Read[]) =>
      skills.map(({ folder, properties }) => ({ folder: basename(folder), description: properties.description })),
  }
}

async function foldersOf(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(root, name))
}

/** For many folders it would read one after the other, and fail for all where it cannot read one. */
async function listFolder(folder: string): Promise<string> {
  try {
    return await toPrompt([folder])
  } catch {
    return ''
  }
}

async function readFolder(folder: string): Promise<Read | undefined> {
  try {
    return { folder, properties: await readProperties(folder) }
  } catch {
    return undefined
  }
}
