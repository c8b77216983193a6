import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { ReadSkill } from '../contestants/contestant.ts'

/** What a contestant found, compared with what the `yaml` package reads. */
export interface Correctness {
  /** Skills that the contestant returned. */
  readonly found: number
  /** Skills with the description that the `yaml` package reads. */
  readonly right: number
  /** Skills that the `yaml` package reads with a name and a description. */
  readonly readable: number
}

const FENCED = /^\uFEFF?---[ \t]*\n(?:([\s\S]*?)\n)?---[ \t]*(?:\n|$)/

/** Compares a contestant's result with what the `yaml` package reads. White space at either end is ignored. */
export function compare(skills: Iterable<ReadSkill>, truth: ReadonlyMap<string, string>): Correctness {
  const descriptions = new Map(Array.from(skills, ({ folder, description }) => [folder, description.trim()]))
  const right = [...truth].filter(([folder, description]) => descriptions.get(folder) === description)
  return { found: descriptions.size, right: right.length, readable: truth.size }
}

/**
 * Reads every skill that has a name and a description with the `yaml` package and its defaults.
 * @returns descriptions by the names of the skills' folders
 */
export function readTruth(root: string): ReadonlyMap<string, string> {
  const truth = new Map<string, string>()
  for (const folder of readdirSync(root)) {
    const text = readFileSync(join(root, folder, 'SKILL.md'), 'utf8').replaceAll('\r\n', '\n')
    const { name, description } = fieldsOf(FENCED.exec(text)?.[1] ?? '')
    if (isText(name) && isText(description)) truth.set(folder, description.trim())
  }
  return truth
}

function fieldsOf(frontmatter: string): { readonly name?: unknown; readonly description?: unknown } {
  try {
    return (parse(frontmatter, { logLevel: 'error' }) as object | null) ?? {}
  } catch {
    return {}
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
