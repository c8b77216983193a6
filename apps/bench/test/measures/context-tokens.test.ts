import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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

it('[NFR-7] the README states what ten skills and a further one take', async () => {
  const readme = readFileSync(join(import.meta.dirname, '../../../../README.md'), 'utf8')
  const [, ten, further] = /add about (\d+) tokens to a request .* each further skill about (\d+):/.exec(readme) ?? []
  expect(Math.abs(Number(ten) - (await countContext('ten')).own)).toBeLessThanOrEqual(10)
  expect(Math.abs(Number(further) - (await countContext('further')).own)).toBeLessThanOrEqual(1)
})
