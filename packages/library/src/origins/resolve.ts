import { homedir } from 'node:os'
import { archiveOrigin, digestOf, resolveArchiveFile } from './archive/origin.ts'
import { resolveFolder } from './folder.ts'
import { resolveGit } from './git/origin.ts'
import { resolveSite } from './indexes/well-known.ts'
import { resolveNpm } from './npm.ts'
import { type OriginOptions, checkOriginOptions } from './options.ts'
import type { Origin, ResolvedOrigin } from './origin.ts'
import { parseOrigin } from './spec.ts'
import { withDeadline } from './deadline.ts'
import { treeOrigin } from './tree-origin.ts'
import { download } from './web/download.ts'

/**
 * Resolves a text to an exact place of skills: a folder, a commit, a version with its integrity, bytes with their digest.
 * Nothing but temporary files is written, and nothing of what is fetched is ever executed.
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
    case 'server':
      return (await import('./mcp/web-origin.ts')).resolveServer(spec.url, options)
    case 'site':
    default:
      return resolveSite(spec.url, options)
  }
}

/** The largest SKILL.md: as large as one that is loaded. */
const MAX_DOCUMENT_BYTES = 1024 * 1024

/** Downloads an archive and resolves it to the digest of its bytes. */
async function resolveArchiveUrl(url: URL, options: OriginOptions): Promise<Origin> {
  const source = url.href
  const { bytes } = await withDeadline(source, options, [options.signal], (signal) =>
    download(source, url, { ...options, signal }),
  )
  return archiveOrigin({ source, sourceType: 'archive', sourceUrl: source }, bytes, options)
}

/** Resolves the address of one SKILL.md to the digest of its bytes. It is a whole skill: nothing beside it is fetched. */
async function resolveDocument(url: URL, options: OriginOptions): Promise<Origin> {
  const { maxBytes = MAX_DOCUMENT_BYTES } = options
  const source = url.href
  const { bytes } = await withDeadline(source, options, [options.signal], (signal) =>
    download(source, url, { ...options, signal, maxBytes: Math.min(maxBytes, MAX_DOCUMENT_BYTES) }),
  )
  const resolved: ResolvedOrigin = { source, sourceType: 'url', sourceUrl: source, revision: digestOf(bytes) }
  const tree = {
    entries: [{ path: 'SKILL.md', kind: 'file', executable: false, size: bytes.length }] as const,
    base: '',
    diagnostics: [],
    read: () => Promise.resolve(new Map([['SKILL.md', bytes]])),
  }
  return treeOrigin(resolved, options, (work, wanted) => work(tree, wanted))
}
