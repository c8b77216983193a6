import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Answers } from '../job.ts'
import type { Sampled } from './skills.ts'

/**
 * Reads the folders that are activated in plain Node, synchronously: every file below each, whole. Nothing is checked,
 * parsed or kept.
 * @param hashed whether SHA-256 of each file is taken too, as is needed to bind an answer to the bytes
 */
export function timeReadings(skills: readonly Sampled[], hashed = false): Answers['readFolders'] {
  const times = skills.map(({ folder }) => {
    const start = performance.now()
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const bytes = readFileSync(join(entry.parentPath, entry.name))
      if (hashed) hash('sha256', bytes)
    }
    return performance.now() - start
  })
  return { times }
}

/** The same with `fs.promises`, the files of a folder at once. */
export async function timeAsyncReadings(skills: readonly Sampled[]): Promise<Answers['readFolders']> {
  const times: number[] = []
  for (const { folder } of skills) {
    const start = performance.now()
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile())
    await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name))))
    times.push(performance.now() - start)
  }
  return { times }
}
