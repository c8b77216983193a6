import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { readProperties } from 'skills-ref'
import type { Contestant } from './contestant.ts'

interface Read {
  readonly folder: string
  readonly properties: Awaited<ReturnType<typeof readProperties>>
}

/** `skills-ref`, the reference library: it reads one folder, so the caller lists the folders. */
export function prepare(root: string): Contestant {
  return {
    scan: async () => {
      const entries = await readdir(root, { withFileTypes: true })
      const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(root, name))
      return (await Promise.all(folders.map(readFolder))).filter((skill) => skill !== undefined)
    },
    read: (skills: readonly Read[]) =>
      skills.map(({ folder, properties }) => ({ folder: basename(folder), description: properties.description })),
  }
}

async function readFolder(folder: string): Promise<Read | undefined> {
  try {
    return { folder, properties: await readProperties(folder) }
  } catch {
    return undefined
  }
}
