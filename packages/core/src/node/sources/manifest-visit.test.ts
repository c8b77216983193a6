// No skill folder can hold these files without the rights of root, so no source finds them.
import { expect, it } from 'vitest'
import type { Diagnostic } from '@repertoire/skill-md/internal'
import { readRules } from '../folder/skill.ts'
import { createManifestVisit } from './manifest-visit.ts'

/** What is reported of a file that stands where a manifest would. */
function reportedOf(folder: string, file: string): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  const visitor = { skill: () => expect.unreachable(), diagnostic: (found: Diagnostic) => diagnostics.push(found) }
  const visit = createManifestVisit(visitor, visitor.diagnostic, readRules({}), () => undefined)
  expect(visit.visitListed({ name: 'x', path: folder, real: folder, linked: false }, [file])).toBe(true)
  return diagnostics
}

it('[ABUSE-18] refuses a device in the place of a manifest', () => {
  expect(reportedOf('/dev', 'zero')).toMatchObject([{ code: 'MANIFEST_NOT_A_FILE', path: '/dev/zero' }])
})

it.runIf(process.platform === 'linux')('[DISC-3] reports a manifest that fails while it is read', () => {
  expect(reportedOf(`/proc/${process.pid}`, 'mem')).toMatchObject([
    { code: 'MANIFEST_UNREADABLE', severity: 'error', message: expect.stringContaining('EIO') },
  ])
})
