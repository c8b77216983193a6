import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { Diagnostic, FoundSkill } from '../../../src/index.ts'
import { type DirectorySourceOptions, directorySource } from '../../../src/node/index.ts'

/** A temporary folder, anew for each test. */
export let base: string
/** The root in it that `scan` looks into. */
export let root: string

/** Creates a temporary root for each test of the file that calls it: test files share modules, not hooks. */
export function useScannedRoot(): void {
  beforeEach(() => {
    base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-source-'))
    root = join(base, 'root')
    mkdirSync(root)
  })

  afterEach(() => {
    rmSync(base, { recursive: true, force: true })
  })
}

/** Writes a file below the root. Returns its path. */
export function write(path: string, content = '---\nname: x\n---\n'): string {
  const whole = join(root, path)
  mkdirSync(dirname(whole), { recursive: true })
  writeFileSync(whole, content)
  return whole
}

/** What a scan has shown. */
export interface Seen {
  readonly found: FoundSkill[]
  /** Manifests as paths relative to the root, in the order of the visits. */
  readonly paths: string[]
  readonly diagnostics: Diagnostic[]
}

/** Scans the root through the port. */
export async function scan(
  options: Partial<DirectorySourceOptions> = {},
  visit?: (found: FoundSkill) => void,
): Promise<Seen> {
  const found: FoundSkill[] = []
  const diagnostics: Diagnostic[] = []
  for await (const item of directorySource({ root, layer: 'personal', ...options }).scan()) {
    if ('code' in item) diagnostics.push(item)
    else {
      found.push(item)
      visit?.(item)
    }
  }
  return { found, paths: found.map(({ path }) => relative(root, path)), diagnostics }
}

export const codes = ({ diagnostics }: Seen): string[] => diagnostics.map(({ code }) => code)
