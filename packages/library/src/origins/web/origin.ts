import { archiveOrigin, digestOf } from '../archive/origin.ts'
import type { OriginOptions } from '../options.ts'
import type { Origin, ResolvedOrigin } from '../origin.ts'
import { withDeadline } from '../deadline.ts'
import { treeOrigin } from '../tree-origin.ts'
import { documentTree } from '../tree.ts'
import { download } from './download.ts'

/** The largest SKILL.md: as large as one that is loaded. */
const MAX_DOCUMENT_BYTES = 1024 * 1024

/** Downloads an archive and resolves it to the digest of its bytes. */
export async function resolveArchiveUrl(url: URL, options: OriginOptions): Promise<Origin> {
  const source = url.href
  const { bytes } = await withDeadline(source, options, [options.signal], (signal) =>
    download(source, url, { ...options, signal }),
  )
  return archiveOrigin({ source, sourceType: 'archive', sourceUrl: source }, bytes, options)
}

/** Resolves the address of one SKILL.md to the digest of its bytes. It is a whole skill: nothing else is fetched. */
export async function resolveDocument(url: URL, options: OriginOptions): Promise<Origin> {
  const { maxBytes = MAX_DOCUMENT_BYTES } = options
  const source = url.href
  const { bytes } = await withDeadline(source, options, [options.signal], (signal) =>
    download(source, url, { ...options, signal, maxBytes: Math.min(maxBytes, MAX_DOCUMENT_BYTES) }),
  )
  const resolved: ResolvedOrigin = { source, sourceType: 'url', sourceUrl: source, revision: digestOf(bytes) }
  return treeOrigin(resolved, options, (work, wanted) => work(documentTree(bytes), wanted))
}
