import { memorySource, openRepertoire } from '@repertoire/core'
import { MockLanguageModelV4 } from 'ai/test'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openTask, useEndpoint, WAYS } from './task.ts'
import { withSkills } from '../src/index.ts'

const endpoint = useEndpoint()

/** A tool that the provider runs. */
const search = {
  type: 'provider',
  isProviderExecuted: true,
  id: 'mock.search',
  args: {},
  inputSchema: z.object({}),
  outputSchema: z.object({}),
} as never

test('[GATE-1] offers a tool that the provider runs only where every call of it is allowed', async () => {
  const skills = {
    whole: { 'SKILL.md': '---\nname: whole\ndescription: All of it.\nallowed-tools: WebSearch\n---\nBody.\n' },
    part: {
      'SKILL.md': '---\nname: part\ndescription: Some of it.\nallowed-tools: WebSearch(domain:a.example)\n---\nBody.\n',
    },
    none: { 'SKILL.md': '---\nname: none\ndescription: None of it.\nallowed-tools: Read\n---\nBody.\n' },
  }
  const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] })
  const shown: Record<string, boolean> = {}
  for (const name of ['', 'whole', 'part', 'none']) {
    const session = repertoire.openSession({ consent: () => true })
    if (name !== '') await session.call({ id: 'a', tool: 'activate_skill', input: { name } }, () => undefined)
    const model = new MockLanguageModelV4({
      doGenerate: ({ tools }) => {
        shown[name] = tools?.some((each) => each.name === 'WebSearch') ?? false
        const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }
        return Promise.resolve({
          content: [{ type: 'text', text: 'Done.' }],
          finishReason: { unified: 'stop', raw: 'stop' },
          usage: { inputTokens: tokens, outputTokens: { total: 1, text: 1, reasoning: 0 } },
          warnings: [],
        })
      },
    })
    await WAYS[0]![1](model, withSkills(session, { tools: { WebSearch: search } }), 'Hello')
  }
  expect(shown).toEqual({ '': true, whole: true, part: false, none: false })
})

test('[ASK-5] says nothing about a call that a provider has carried out already but what the host says', async () => {
  const { session } = await openTask(endpoint(), [])
  await session.call({ id: 'a', tool: 'activate_skill', input: { name: 'careful' } }, () => undefined)
  const { toolApproval } = withSkills(session, { tools: { WebSearch: search } })
  const question = { tools: {}, messages: [], toolsContext: {}, runtimeContext: {} }
  const done = { type: 'tool-call', toolCallId: 'b', toolName: 'WebSearch', input: {}, providerExecuted: true }
  expect(await toolApproval({ ...question, toolCall: done })).toBeUndefined()
  expect(await toolApproval({ ...question, toolCall: { ...done, providerExecuted: false } })).toMatchObject({
    type: 'denied',
  })
})
