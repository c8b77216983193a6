import { readFileSync } from 'node:fs'
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

it('[NFR-7] skills take the tokens that docs/cost.md states', async () => {
  const page = readFileSync(new URL('../../../../docs/cost.md', import.meta.url), 'utf8')
  const stated = (told: RegExp): number => Number(told.exec(page)?.[1])
  const [ten, further, activation, tools] = await Promise.all(FIGURES.map(countContext))
  expect(stated(/list of ten skills +\| about (\d+),/)).toBe(ten!.own)
  expect(stated(/names and descriptions are (\d+)/)).toBe(tens(ten!.base!))
  expect(stated(/each further skill +\| about (\d+) /)).toBe(Math.round(further!.own))
  expect(stated(/first activation about (\d+) more/)).toBe(tens(activation!.own - activation!.base!))
  expect(stated(/skill is active +\| about (\d+),/)).toBe(tens(tools!.own))
})

const tens = (tokens: number): number => Math.round(tokens / 10) * 10
