import { type Options, type Query, query, type SDKMessage } from '@anthropic-ai/claude-agent-sdk'
import { expect, expectTypeOf, test } from 'vitest'
import { claudeAgent, queryOptions, skillsQuery } from '../src/index.ts'
import { open } from './task.ts'

test("[ADPT-8] has the SDK's own types in and out", () => {
  expectTypeOf(queryOptions).returns.toEqualTypeOf<Options>()
  expectTypeOf(skillsQuery).returns.toEqualTypeOf<Query>()
  expectTypeOf(skillsQuery).parameter(1).toEqualTypeOf<Parameters<typeof query>[0]['prompt']>()
  type Agent = ReturnType<typeof claudeAgent>
  expectTypeOf<Agent['query']>().returns.toEqualTypeOf<AsyncGenerator<SDKMessage, void>>()
  expectTypeOf<Agent['query']>().parameter(1).toEqualTypeOf<Options | undefined>()
})

test('[ADPT-8, CFG-1] refuses what is misspelled, as a type and when it is called', async () => {
  const repertoire = await open({})
  const session = repertoire.openSession()
  // @ts-expect-error -- options of `query` belong into `options`
  expect(() => queryOptions(session, { maxTurns: 3 })).toThrow(/maxTurns/)
  // @ts-expect-error -- `consent` belongs into `session`
  expect(() => claudeAgent({ repertoire, consent: () => true })).toThrow(/consent/)
  // @ts-expect-error -- a function has `execute`
  expect(() => queryOptions(session, { functions: [{ name: 'now' }] })).toThrow(/execute/)
})
