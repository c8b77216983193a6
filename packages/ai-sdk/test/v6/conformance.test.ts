import process from 'node:process'
import { checks } from '@repertoire/conformance'
import type { Result } from '@repertoire/conformance/vitest'
import { sample } from '@repertoire/test-servers/properties'
import { beforeAll, describe, expect, test } from 'vitest'
import { withVersion6 } from './process.ts'

// In CI, every check runs in every variant. Elsewhere a third of them do in one: version 7 runs the others.
const inAll = process.env['CI'] !== undefined
const { chosen, seed, text } = sample(checks, 3)

describe(`conformance of AI SDK 6 (${text})`, () => {
  const results = new Map<string, Result>()
  beforeAll(async () => {
    const ids = inAll ? [] : chosen.map(({ id }) => id)
    const json = await withVersion6('run-conformance.ts', inAll ? 'all' : String(seed), ...ids)
    for (const result of JSON.parse(json) as Result[]) results.set(result.id, result)
  }, 900_000)

  for (const { id, title } of chosen) {
    test(title, ({ task, skip }) => {
      const result = results.get(id)
      if (result === undefined) throw new Error(`The run has no result for "${id}".`)
      if (inAll) task.meta.conformance = result
      if (result.status === 'n/a') skip(result.reason)
      expect(result).toMatchObject({ status: expect.stringMatching(/^(?:pass|known)$/) })
    })
  }
})

test('[ADPT-6] the entry for version 6 really runs with version 6', async () => {
  expect(JSON.parse(await withVersion6('versions.ts'))).toEqual({ ai: expect.stringMatching(/^6\./), provider: 'v3' })
})

test('[ADPT-6, ACT-10] a sub-agent’s own tool that needs approval does not run, since nobody can be asked', async () => {
  expect(JSON.parse(await withVersion6('unattended.ts'))).toEqual(['Check'])
})

test('[ADPT-6, FRONT-5] the entry for version 7 says which one to import where version 6 is installed', async () => {
  expect(await withVersion6('wrong-version.ts')).toBe(
    'This is version 6 of the AI SDK. Import from "@repertoire/ai-sdk/v6", or install `ai@7`.',
  )
})

test('[ADPT-6, ADPT-10] `activeTools` and the own repair of an agent work as in version 7', async () => {
  expect(JSON.parse(await withVersion6('agent-settings.ts'))).toEqual([['Read', 'activate_skill'], 'Read ran'])
})
