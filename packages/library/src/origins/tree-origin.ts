import { withDeadline } from './deadline.ts'
import { refused } from './failure.ts'
import { judgeTree } from './judge.ts'
import { checkFetchOptions, type OriginOptions } from './options.ts'
import type { FetchOptions, Origin, ResolvedOrigin } from './origin.ts'
import type { OriginTree } from './tree.ts'

/** Opens what an origin holds, lets work be done with it, and lets it go. */
export type TreeUse = <T>(
  work: (tree: OriginTree, wanted: FetchOptions) => Promise<T>,
  wanted: FetchOptions & { readonly signal: AbortSignal },
) => Promise<T>

/** The same for whoever has no signal, or none yet. */
type OpenUse = <T>(work: (tree: OriginTree, wanted: FetchOptions) => Promise<T>, wanted: FetchOptions) => Promise<T>

/** An origin is only what its users need of it: what it holds is kept beside it, for indexes that lead to a part of it. */
const uses = new WeakMap<Origin, OpenUse>()

/**
 * Returns an origin whose skills are found in what it holds, and judged whole. Its revision, its deadline, its signal and its
 * progress are heeded here, for every kind of origin.
 * @throws {SkillError} ORIGIN_REFUSED: not the revision that is wanted
 */
export function treeOrigin(resolved: ResolvedOrigin, options: OriginOptions, use: TreeUse): Origin {
  checkRevision(resolved, options)
  return originOf(resolved, (work, wanted) =>
    withDeadline(resolved.source, options, [options.signal, wanted.signal], (signal) => {
      const { skills, onProgress = options.onProgress } = wanted
      return use(work, {
        signal,
        skills,
        onProgress,
      })
    }),
  )
}

/** Does work with what an origin holds. @throws {TypeError} the origin is not one of `treeOrigin` */
export function withTree<T>(
  origin: Origin,
  work: (tree: OriginTree, wanted: FetchOptions) => Promise<T>,
  wanted: FetchOptions = {},
): Promise<T> {
  const use = uses.get(origin)
  if (use === undefined) throw new TypeError(`What ${origin.resolved.source} holds cannot be looked at.`)
  return use(work, wanted)
}

/**
 * Returns the same origin with a part of what it holds.
 * @param more what is known of its place beside
 */
export function narrowedOrigin(
  origin: Origin,
  narrow: (tree: OriginTree) => Promise<OriginTree>,
  more: Partial<ResolvedOrigin> = {},
): Origin {
  return originOf({ ...origin.resolved, ...more }, (work, wanted) =>
    withTree(origin, async (tree, each) => work(await narrow(tree), each), wanted),
  )
}

/** @throws {SkillError} ORIGIN_REFUSED */
function checkRevision({ source, revision }: ResolvedOrigin, { revision: wanted }: OriginOptions): void {
  if (wanted === undefined || wanted === revision) return
  throw refused(source, `its revision is ${revision ?? 'unknown'}, and ${wanted} is wanted. Ask why it has changed.`)
}

function originOf(resolved: ResolvedOrigin, use: OpenUse): Origin {
  const origin: Origin = {
    resolved,
    async fetch(wanted = {}) {
      checkFetchOptions(wanted)
      return use((tree, each) => judgeTree(resolved, tree, each), wanted)
    },
  }
  uses.set(origin, use)
  return origin
}
