import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Answers } from '../job.ts'
import type { Sampled } from './skills.ts'

/**
 * Reads a folder in plain Node, synchronously: every file below it, whole. Nothing is checked, parsed or kept.
 * @param hashed whether SHA-256 of each file is taken too, as is needed to bind an answer to the bytes
 * @returns milliseconds
 */
export function timeReading(folder: string, hashed: boolean): number {
  const start = performance.now()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const bytes = readFileSync(join(entry.parentPath, entry.name))
    if (hashed) hash('sha256', bytes)
  }
  return performance.now() - start
}

/** Reads the folders that are activated, one after the other, without hashes. */
export function timeReadings(skills: readonly Sampled[]): Answers['readFolders'] {
  return { times: skills.map(({ folder }) => timeReading(folder, false)) }
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
