import { homedir } from 'node:os'
import { resolveArchiveFile } from './archive/origin.ts'
import { resolveFolder } from './folder.ts'
import { resolveGit } from './git/origin.ts'
import { resolveSite } from './indexes/well-known.ts'
import { resolveNpm } from './npm.ts'
import { type OriginOptions, checkOriginOptions } from './options.ts'
import type { Origin } from './origin.ts'
import { parseOrigin } from './spec.ts'
import { resolveArchiveUrl, resolveDocument } from './web/origin.ts'

/**
 * Resolves a text to an exact place of skills: a folder, a commit, a version with its integrity, bytes with their
 * digest. Nothing but temporary files is written, and nothing of what is fetched is ever executed.
 * @param text `./folder`, `owner/repo#ref`, `git@host:repo.git`, `npm:name@range`, `https://…`
 * @throws {SkillError} ORIGIN_INVALID, ORIGIN_UNREACHABLE, ORIGIN_REFUSED, TIMED_OUT
 */
export async function resolveOrigin(text: string, options: OriginOptions = {}): Promise<Origin> {
  checkOriginOptions('resolveOrigin', text, options)
  const spec = parseOrigin(text, homedir())
  options.signal?.throwIfAborted()
  switch (spec.kind) {
    case 'folder':
      return resolveFolder(spec.path, options)
    case 'archive-file':
      return resolveArchiveFile(spec.path, options)
    case 'archive-url':
      return resolveArchiveUrl(spec.url, options)
    case 'document':
      return resolveDocument(spec.url, options)
    case 'git':
      return resolveGit(spec.address, options)
    case 'npm':
      return resolveNpm(spec.name, spec.range, options)
    case 'site':
    default:
      return resolveSite(spec.url, options)
  }
}
