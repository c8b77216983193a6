import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { ReadSkill } from '../contestants/contestant.ts'
import type { Correctness } from '../job.ts'

/** Descriptions by the names of their skills' folders. */
export type Truth = ReadonlyMap<string, string>

const FENCED = /^\uFEFF?---[ \t]*\n(?:([\s\S]*?)\n)?---[ \t]*(?:\n|$)/

/** What the `yaml` package, with its defaults, reads from every skill that has a name and a description. */
export function readTruth(root: string): Truth {
  const truth = new Map<string, string>()
  for (const folder of readdirSync(root)) {
    const text = readFileSync(join(root, folder, 'SKILL.md'), 'utf8').replaceAll('\r\n', '\n')
    const { name, description } = fieldsOf(FENCED.exec(text)?.[1] ?? '')
    if (isText(name) && isText(description)) truth.set(folder, description.trim())
  }
  return truth
}

/** Compares a contestant's result with the truth. White space at either end is ignored. */
export function compare(skills: Iterable<ReadSkill>, truth: Truth): Correctness {
  const descriptions = new Map<string, string>()
  for (const { folder, description } of skills) descriptions.set(folder, description.trim())
  const known = [...descriptions].filter(([folder]) => truth.has(folder))
  const right = known.filter(([folder, description]) => truth.get(folder) === description).length
  return {
    found: descriptions.size,
    right,
    wrong: known.length - right,
    missed: truth.size - known.length,
    beyond: descriptions.size - known.length,
  }
}

function fieldsOf(frontmatter: string): { readonly name?: unknown; readonly description?: unknown } {
  try {
    const value: unknown = parse(frontmatter, { logLevel: 'error' })
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
