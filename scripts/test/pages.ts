import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** A file, by its path from the root of the repository. */
export interface Page {
  readonly path: string
  readonly text: string
}

/** Reads the Markdown files for people: those at the root, the READMEs and `docs`, without `docs/api`. */
export function readPages(): readonly Page[] {
  return readAll(['*.md', 'docs/*.md', '{packages,apps,examples}/*/README.md', 'examples/README.md'])
}

/** Reads files by patterns from the root. */
export function readAll(patterns: readonly string[]): readonly Page[] {
  const paths = globSync(patterns, { cwd: ROOT }).toSorted()
  return paths.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
}

const UNITS: Readonly<Record<string, number>> = {
  days: 86_400_000,
  minutes: 60_000,
  s: 1_000,
  KB: 1024,
  MiB: 1024 * 1024,
  '%': 0.01,
}

/** Reads a figure as people write it: `5 minutes`, `20,000`, `10 MiB`, `2%`. */
export function figureIn(text: string): number {
  const [, number = '', unit = ''] = /^([\d,.]+?)\.?(?: ?([A-Za-z%]+))?$/.exec(text) ?? []
  return Number(number.replaceAll(',', '')) * (UNITS[unit] ?? 1)
}
