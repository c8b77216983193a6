import { homedir } from 'node:os'
import { resolveArchiveFile } from './archive/origin.ts'
import { invalidOrigin } from './failure.ts'
import { resolveFolder } from './folder.ts'
import type { OriginOptions } from './options.ts'
import type { Origin } from './origin.ts'
import { parseOrigin } from './spec.ts'

/**
 * Resolves a text to an exact place of skills: a folder, a commit, a version with its integrity, bytes with their digest.
 * Nothing is written, and nothing of it is ever executed.
 * @param text `./folder`, `owner/repo#ref`, `git@host:repo.git`, `npm:name@range`, `https://…`
 * @throws {SkillError} ORIGIN_INVALID, ORIGIN_UNREACHABLE, ORIGIN_REFUSED, TIMED_OUT
 */
export async function resolveOrigin(text: string, options: OriginOptions = {}): Promise<Origin> {
  const spec = parseOrigin(text, homedir())
  options.signal?.throwIfAborted()
  switch (spec.kind) {
    case 'folder':
      return resolveFolder(spec.path, options)
    case 'archive-file':
      return resolveArchiveFile(spec.path, options)
    default:
      throw invalidOrigin(text, 'this kind of origin is not read yet.')
  }
}
