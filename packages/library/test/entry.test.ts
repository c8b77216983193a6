import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const ENTRY = join(import.meta.dirname, '../src/index.ts')
const STATIC = /^(?:import|export)(?! type)[^;]*? from '([^']+)'/gm

/** All that a file imports before anything is called, files of its own as well. */
function loadedBy(file: string, seen = new Set<string>()): ReadonlySet<string> {
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(STATIC)) {
    const path = name.startsWith('.') ? join(dirname(file), name) : name
    if (seen.has(path)) continue
    seen.add(path)
    if (path !== name) loadedBy(path, seen)
  }
  return seen
}

it('[NFR-4] loads what reads archives and asks the network only when it is used', () => {
  const loaded = loadedBy(ENTRY)
  expect(loaded.has(join(import.meta.dirname, '../src/origins/web/download.ts'))).toBe(true)
  const packages = [...loaded].filter((name) => !name.startsWith('/') && !name.startsWith('node:'))
  expect(packages.toSorted()).toEqual([
    '@repertoire/core',
    '@repertoire/core/adapter',
    '@repertoire/core/authoring',
    '@repertoire/core/node',
    '@repertoire/core/options',
    '@repertoire/core/stores',
  ])
})
