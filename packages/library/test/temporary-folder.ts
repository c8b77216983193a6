import type { SkillStore } from '@repertoire/core'
import { openFileStore } from '@repertoire/library'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder that is removed when the test has ended. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-library-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A store of files that ends with the tests. */
export function temporaryStore(): Promise<SkillStore> {
  return openFileStore({ root: temporaryFolder(), layer: 'personal' })
}
