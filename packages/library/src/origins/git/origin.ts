import { SkillError } from '@repertoire/core'
import { withDeadline } from '../deadline.ts'
import type { OriginOptions } from '../options.ts'
import type { Origin, ResolvedOrigin } from '../origin.ts'
import { treeOrigin } from '../tree-origin.ts'
import { checkRef, type GitAddress } from './address.ts'
import { gitTree } from './objects.ts'
import { withRemote } from './remote.ts'
import { resolveRevision, type GitRevision } from './revision.ts'
import { download } from '../web/download.ts'

/** Resolves a repository to a commit. Its files are received by `fetch`, from that very commit. */
export async function resolveGit(given: GitAddress, options: OriginOptions): Promise<Origin> {
  const { source } = given
  if (options.ref !== undefined) checkRef(source, options.ref)
  const asked = options.ref === undefined ? given : { ...given, ref: options.ref }
  const { address, revision } = await withDeadline(source, options, [options.signal], (signal) =>
    resolveAt(asked, options, signal),
  )
  const { sourceType, url, skill } = address
  const resolved: ResolvedOrigin = {
    source,
    sourceType,
    sourceUrl: url,
    ref: revision.ref,
    revision: revision.commit,
  }
  options.onProgress?.({ kind: 'resolved' })
  return treeOrigin(resolved, options, (work, { skills = skill === undefined ? undefined : [skill], ...wanted }) =>
    withRemote(source, url, options, async (remote) => {
      const tree = await gitTree(source, remote, revision, { ...options, ...wanted })
      return work(tree, { ...wanted, ...(skills !== undefined && { skills }) })
    }),
  )
}

/** Asks at the address, and where the repository has moved, at the one that the server names. */
async function resolveAt(
  address: GitAddress,
  options: OriginOptions,
  signal: AbortSignal,
): Promise<{ readonly address: GitAddress; readonly revision: GitRevision }> {
  const resolveWith = (each: GitAddress): Promise<GitRevision> =>
    withRemote(each.source, each.url, options, (remote) => resolveRevision(each, options.revision, remote, signal))
  try {
    return { address, revision: await resolveWith(address) }
  } catch (error) {
    if (!(error instanceof SkillError) || error.code !== 'ORIGIN_UNREACHABLE') throw error
    const url = await movedTo(address, { ...options, signal })
    if (url === undefined) throw error
    const moved = { ...address, url }
    return { address: moved, revision: await resolveWith(moved) }
  }
}

const QUESTION = '/info/refs?service=git-upload-pack'

/**
 * Returns where a repository has moved to, as its server says: git itself follows no redirects, since it would not
 * judge them. Undefined: nowhere.
 */
async function movedTo(
  { source, url }: GitAddress,
  options: OriginOptions & { readonly signal: AbortSignal },
): Promise<string | undefined> {
  if (!/^https?:/.test(url)) return undefined
  try {
    const { onProgress: _unused, ...quiet } = options
    const { url: last } = await download(source, new URL(url + QUESTION), quiet)
    const moved = last.href.endsWith(QUESTION) ? last.href.slice(0, -QUESTION.length) : url
    return moved === url ? undefined : moved
  } catch {
    return undefined
  }
}
