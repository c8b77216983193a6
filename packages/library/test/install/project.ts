import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SkillError } from '@repertoire/core'
import type { Origin, ResolvedOrigin } from '@repertoire/library'
import { filesOf } from '../../src/testing/case.ts'

/** The files of skills, beside a SKILL.md: name → path → text. */
export type Skills = Readonly<Record<string, Readonly<Record<string, string>>>>

/** An origin of a kind that the tests bring: its skills and its revision are given. Counts what was fetched of it. */
export function originOf(
  skills: Skills,
  more: Partial<ResolvedOrigin> = {},
): Origin & { readonly fetched: readonly string[][] } {
  const resolved = { source: 'example/skills', sourceType: 'github', revision: 'a'.repeat(40), ...more }
  const fetched: string[][] = []
  return {
    resolved,
    fetched,
    list: () => Promise.resolve([]),
    fetch({ skills: names = Object.keys(skills) } = {}) {
      fetched.push([...names])
      const missing = names.find((name) => !(name in skills))
      if (missing !== undefined) return Promise.reject(new SkillError('SKILL_NOT_FOUND', `No "${missing}".`))
      const found = names.map((name) => ({
        name,
        path: `skills/${name}/SKILL.md`,
        origin: `${resolved.source}/skills/${name}`,
        files: filesOf(name, skills[name]),
      }))
      return Promise.resolve({ origin: resolved, skills: found, diagnostics: [] })
    },
  }
}

/** Every file of a project, by its path, without the state of writers and without links. */
export function filesIn(folder: string, prefix = ''): Readonly<Record<string, string>> {
  if (!existsSync(folder)) return {}
  const found: Record<string, string> = {}
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === '.repertoire') continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) Object.assign(found, filesIn(path, `${prefix}${entry.name}/`))
    else if (entry.isFile()) found[prefix + entry.name] = readFileSync(path, 'utf8')
  }
  return found
}

/** Writes a file below a folder, with the folders on the way. */
export function put(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
