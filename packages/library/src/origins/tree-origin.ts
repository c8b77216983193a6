import { judgeTree } from './judge.ts'
import type { FetchOptions, Origin, ResolvedOrigin } from './origin.ts'
import type { OriginTree } from './tree.ts'

/** Opens what an origin holds, lets work be done with it, and lets it go. */
export type TreeUse = <T>(
  work: (tree: OriginTree, wanted: FetchOptions) => Promise<T>,
  wanted: FetchOptions,
) => Promise<T>

/** An origin is only what its users need of it: what it holds is kept beside it, for indexes that lead to a part of it. */
const uses = new WeakMap<Origin, TreeUse>()

/** Returns an origin whose skills are found in what it holds, and judged whole. */
export function treeOrigin(resolved: ResolvedOrigin, use: TreeUse): Origin {
  const origin: Origin = {
    resolved,
    fetch: (wanted = {}) => use((tree, each) => judgeTree(resolved, tree, each), wanted),
  }
  uses.set(origin, use)
  return origin
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

/** Returns the same origin with a part of what it holds. */
export function narrowedOrigin(origin: Origin, narrow: (tree: OriginTree) => Promise<OriginTree>): Origin {
  return treeOrigin(origin.resolved, (work, wanted) =>
    withTree(origin, async (tree, each) => work(await narrow(tree), each), wanted),
  )
}
