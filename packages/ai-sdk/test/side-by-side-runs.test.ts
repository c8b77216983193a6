import { generateText, isStepCount, type LanguageModel, tool, type ToolSet } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { withSkills } from '../src/index.ts'
import { openTask, resultOf, useEndpoint } from './task.ts'

const endpoint = useEndpoint()

test('[ACT-17] two runs with one set of settings keep the their own tools steps', async () => {
  const { session } = await openTask(endpoint(), [])
  const ran: string[] = []
  const noting = (name: string) => tool({ inputSchema: z.object({}), execute: () => void ran.push(name) })
  const tools: ToolSet = { Read: noting('Read'), Write: noting('Write') }
  const skills = withSkills(session, {
    tools,
    prepareStep: ({ messages }) => ({ activeTools: [JSON.stringify(messages).includes('look') ? 'Read' : 'Write'] }),
  })
  const [one, two] = [caller('Read'), caller('Write')]
  const run = (model: LanguageModel, prompt: string) =>
    generateText({ model, prompt, stopWhen: isStepCount(3), ...skills })
  const runs = [run(one.model, 'look'), run(two.model, 'change')]
  // Both steps have begun before either call is made.
  await Promise.all([one.called, two.called])
  one.answer.resolve()
  two.answer.resolve()
  expect((await Promise.all(runs)).map(({ text }) => text)).toEqual(['Done.', 'Done.'])
  expect(ran.toSorted()).toEqual(['Read', 'Write'])
})

/** A model that calls a tool once it is told to. */
function caller(toolName: string) {
  const called = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never
  let times = 0
  const model = new MockLanguageModelV4({
    async doGenerate() {
      called.resolve()
      await answer.promise
      const isFirst = times++ === 0
      return {
        content: isFirst
          ? [{ type: 'tool-call', toolCallId: `call_${toolName}`, toolName, input: '{}' }]
          : [{ type: 'text', text: 'Done.' }],
        finishReason: { unified: isFirst ? 'tool-calls' : 'stop', raw: undefined },
        usage,
        warnings: [],
      }
    },
  })
  return { model, called: called.promise, answer }
}

test.each([true, false])(
  '[ACT-17, ABUSE-147] agents that run inside the tools of one message keep their own tools (one session: %s)',
  async (isShared) => {
    const { play, model, session, reopen } = await openTask(endpoint(), [
      { calls: ['Look', 'Change'].map((name) => ({ tool: name, input: {} })) },
      { text: 'Done.' },
    ])
    const ran: string[] = []
    const inner = (name: string) => {
      const { model: own, answer } = caller(name)
      answer.resolve()
      const tools = { [name]: tool({ inputSchema: z.object({}), execute: () => void ran.push(name) }) }
      return tool({
        inputSchema: z.object({}),
        async execute() {
          const skills = withSkills(isShared ? session : reopen(), { tools })
          return (await generateText({ model: own, prompt: 'Go', stopWhen: isStepCount(3), ...skills })).text
        },
      })
    }
    const tools = { Look: inner('Read'), Change: inner('Write') }
    await generateText({ model, prompt: 'Hello', stopWhen: isStepCount(3), ...withSkills(session, { tools }) })
    expect(ran.toSorted()).toEqual(['Read', 'Write'])
    expect([resultOf(play, 'call_1_1'), resultOf(play, 'call_1_2')]).toEqual(['Done.', 'Done.'])
  },
)
