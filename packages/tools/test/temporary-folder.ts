import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'

/** A new folder for each test of the file that calls `useTemporaryFolder`; `root` and `outside` lie in it. */
export let base: string
export let root: string
export let outside: string

export function useTemporaryFolder(): void {
  beforeEach(() => {
    base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-tools-'))
    root = join(base, 'root')
    outside = join(base, 'outside')
    mkdirSync(root)
    mkdirSync(outside)
    writeFileSync(join(outside, 'secret'), 'secret')
  })
  afterEach(() => {
    rmSync(base, { recursive: true, force: true })
  })
}

export function write(path: string, content: string | Uint8Array): string {
  const whole = join(root, path)
  mkdirSync(dirname(whole), { recursive: true })
  writeFileSync(whole, content)
  return whole
}
