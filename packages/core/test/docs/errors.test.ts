import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DIAGNOSTIC_CODES } from '@repertoire/core/authoring'
import { expect, it } from 'vitest'

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../../../..', path), 'utf8')

/** Where each code of the public types comes from. */
const TYPES = [
  ['error', 'packages/skill-md/src/errors.ts', 'SkillErrorCode'],
  ['refusal', 'packages/core/src/ports/outcome.ts', 'RefusalCode'],
  ['problem', 'packages/core/src/ports/problem.ts', 'SessionProblemCode'],
] as const

/** Codes that a thrown error and a refused call share: what is wrong is the same. */
const SHARED = ['RESOURCE_NOT_FOUND', 'RESOURCE_REFUSED', 'SESSION_ENDED', 'SKILL_BROKEN', 'SKILL_NOT_FOUND']

const kinds = new Map<string, string>()
for (const [kind, file, type] of TYPES) {
  const union = new RegExp(`export type ${type} =([^]*?)(?:\\n\\n|$)`).exec(read(file))?.[1] ?? ''
  for (const [, code = ''] of union.matchAll(/'([A-Z_]+)'/g)) {
    kinds.set(code, kinds.has(code) ? `${kinds.get(code)}, ${kind}` : kind)
  }
}

it('[NFR-4] lists on the page of codes every code once, with what it is, and no other', () => {
  const rows = Array.from(read('docs/errors.md').matchAll(/^\| `([A-Z_]+)` +\| ([a-z, ]+?) +\| \S/gm))
  expect(kinds.size).toBeGreaterThan(60)
  expect(rows.map(([, code, kind]) => [code, kind])).toEqual([...kinds].toSorted(([a], [b]) => (a < b ? -1 : 1)))
})

it('[NFR-4] uses a code in two places only where it means the same', () => {
  const shared = [...kinds].filter(([, kind]) => kind.includes(','))
  expect(shared.map(([code]) => code).toSorted()).toEqual(SHARED)
  // Listed or activated, it asks for more than the host admits.
  expect(Object.keys(DIAGNOSTIC_CODES).filter((code) => kinds.has(code))).toEqual(['SKILL_NOT_ADMITTED'])
})
