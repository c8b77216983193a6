import { withDeadline } from './deadline.ts'
import { refused } from './failure.ts'
import { judgeTree, listTree } from './judge.ts'
import { checkFetchOptions, type OriginOptions } from './options.ts'
import type { FetchOptions, Origin, ResolvedOrigin } from './origin.ts'
import type { OriginTree } from './tree.ts'

/** Opens what an origin holds, lets work be done with it, and lets it go. */
export type TreeUse = <T>(
  work: (tree: OriginTree, wanted: FetchOptions) => Promise<T>,
  wanted: FetchOptions & { readonly signal: AbortSignal },
) => Promise<T>

/**
 * Returns an origin whose skills are found in what it holds, and judged whole. Its revision, its deadline, its signal
 * and its progress are heeded here, for every kind of origin.
 * @throws {SkillError} ORIGIN_REFUSED: not the revision that is wanted
 */
export function treeOrigin(resolved: ResolvedOrigin, options: OriginOptions, use: TreeUse): Origin {
  checkRevision(resolved, options)
  const withTree = <T>(work: (tree: OriginTree, each: FetchOptions) => Promise<T>, wanted: FetchOptions): Promise<T> =>
    withDeadline(resolved.source, options, [options.signal, wanted.signal], (signal) => {
      const { skills, onProgress = options.onProgress } = wanted
      return use(work, { signal, skills, onProgress })
    })
  return {
    resolved,
    async fetch(wanted = {}) {
      checkFetchOptions(wanted)
      return withTree((tree, each) => judgeTree(resolved, tree, each), wanted)
    },
    list: () => withTree((tree, { signal }) => listTree(resolved, tree, signal), {}),
  }
}

/** @throws {SkillError} ORIGIN_REFUSED */
function checkRevision({ source, revision }: ResolvedOrigin, { revision: wanted }: OriginOptions): void {
  if (wanted === undefined || wanted === revision) return
  throw refused(source, `its revision is ${revision ?? 'unknown'}, and ${wanted} is wanted. Ask why it has changed.`)
}
