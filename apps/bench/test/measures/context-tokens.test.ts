import { expect, it } from 'vitest'
import { comparisonsOf } from '../../src/comparisons.ts'
import { type ContextFigure, countContext } from '../../src/measures/context-tokens.ts'

const FIGURES: readonly ContextFigure[] = ['ten', 'further', 'activation', 'tools']
const trees = { folder: '', tree: () => '', used: 1, searched: 1, agents: [] }

it('[NFR-7] skills take no more tokens of a request than the bench aims at', async () => {
  for (const [index, { title, limits }] of comparisonsOf(['context'], trees).entries()) {
    const { own, base = 0 } = await countContext(FIGURES[index]!)
    expect([title, own <= (limits.own ?? Infinity), own - base <= (limits.more ?? Infinity)]).toEqual([
      title,
      true,
      true,
    ])
  }
})
