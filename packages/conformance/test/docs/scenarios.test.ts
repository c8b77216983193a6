import { expect, it } from 'vitest'
import { scenarios } from '../../src/index.ts'
import { measure } from './scenarios-example.ts'

it('[LLM-1] shows in the README how an agent is measured: one that does nothing passes no scenario', async () => {
  const prompts: string[] = []
  const figures = await measure(({ prompt }) => {
    prompts.push(prompt)
    return Promise.resolve()
  })
  expect(prompts).toEqual(scenarios.map(({ prompt }) => prompt))
  expect(figures).toMatchObject({ model: 'my-model', passed: 0, scenarios: scenarios.length, steps: 0 })
})
