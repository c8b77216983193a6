import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

/** A folder for this run, removed when the process ends, or earlier. */
export function temporaryFolder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'repertoire-bench-'))
  const remove = (): void => {
    process.off('exit', remove)
    rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  }
  process.once('exit', remove)
  return { path, remove }
}
