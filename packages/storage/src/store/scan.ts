import { isSkillError, type SkillError, type SkillVisitor } from '@repertoire/core'
import type { Head, HeadFile } from '../heads/head.ts'
import { storedFolder } from './folder.ts'
import type { TenantContext } from './tenant.ts'

/** As many skills as are visited between two questions for their manifests. */
const BATCH = 500

/** Visits the skills of a tenant by name. One that is broken is reported, and keeps no other from being found. */
export async function scanTenant(tenant: TenantContext, visitor: SkillVisitor): Promise<void> {
  const report = (name: string, message: string): void =>
    visitor.diagnostic({
      code: 'MANIFEST_UNREADABLE',
      severity: 'error',
      path: `${tenant.id}/${name}/SKILL.md`,
      message,
    })
  for await (const { name, head, manifest } of readManifests(tenant)) {
    if (isSkillError(head)) report(name, head.message)
    else if (manifest === undefined) {
      report(name, 'What is stored of its SKILL.md is missing, or is not what was saved. Save the skill again.')
    } else {
      const path = `${tenant.id}/${name}/SKILL.md`
      const first = (length: number): Uint8Array => manifest.subarray(0, length)
      const found = { folder: storedFolder(tenant, name), folderName: name, path, fileName: 'SKILL.md' }
      const { origin } = head
      visitor.skill({ ...found, size: manifest.length, head: first, ...(origin !== undefined && { origin }) })
    }
  }
}

/** A stored skill with the bytes of its manifest, where both can be read. */
export interface ReadManifest {
  readonly name: string
  readonly head: Head | SkillError
  readonly manifest: Uint8Array | undefined
}

/** Reads the manifests of all skills of a tenant, many at once. */
export async function* readManifests(tenant: TenantContext): AsyncGenerator<ReadManifest> {
  const sorted = [...(await tenant.heads())].toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (let at = 0; at < sorted.length; at += BATCH) {
    const batch = sorted.slice(at, at + BATCH).map(([name, head]) => ({ name, head, file: manifestOf(head) }))
    const files = batch.flatMap(({ file }) => (file === undefined ? [] : [file]))
    const bytes = await tenant.blobs.readAll(files)
    for (const { name, head, file } of batch) yield { name, head, manifest: file && bytes.get(file.hash) }
  }
}

function manifestOf(head: Head | SkillError): HeadFile | undefined {
  return isSkillError(head) ? undefined : head.files.get('SKILL.md')
}
