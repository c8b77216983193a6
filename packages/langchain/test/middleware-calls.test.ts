import { Command, interrupt, MemorySaver, ReducedValue, StateSchema } from '@langchain/langgraph'
import type { ScriptStep } from '@repertoire/conformance'
import { createAgent, createMiddleware, tool, ToolMessage, type ToolRuntime, toolStrategy } from 'langchain'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { useEndpoint } from './endpoint.ts'
import {
  activate,
  call,
  hostOf,
  hostTools,
  modelOf,
  offered,
  openSkills,
  refusalOf,
  resultOf,
  type Run,
  say,
  thread,
  user,
} from './setup.ts'
import { activeSkills, skillsMiddleware } from '../src/index.ts'

const yes = { consent: () => true }

const endpoint = useEndpoint()

describe('a call', () => {
  async function run(
    script: readonly ScriptStep[],
    more: { tools?: unknown[]; middleware?: unknown[]; version?: 'v1' | 'v2'; checkpointer?: MemorySaver } = {},
  ) {
    const play = endpoint.play(script)
    const runs: Run[] = []
    const agent = createAgent({
      model: modelOf(play),
      tools: [...hostTools(runs), ...((more.tools ?? []) as ReturnType<typeof hostTools>)],
      middleware: [...((more.middleware ?? []) as []), skillsMiddleware(await openSkills(), yes)],
      version: more.version ?? 'v2',
      checkpointer: more.checkpointer,
    })
    const result = await agent.invoke(user('Hello'), thread('one'))
    expect(play.failures).toEqual([])
    return { play, runs, result }
  }

  test('[GATE-1, GATE-7] of a tool that was hidden is refused in the words of core: nothing runs', async () => {
    const { play, runs, result } = await run([activate('editing'), call('Bash', { command: 'ls' }), say])
    expect(offered(play.requests[1])).not.toContain('Bash')
    expect(refusalOf(play, 'call_2_1')).toMatchObject({
      code: 'TOOL_NOT_ALLOWED',
      allowedTools: ['Read', 'Write(docs/**)'],
    })
    expect(runs).toEqual([])
    expect(result.messages.filter((message) => ToolMessage.isInstance(message)).map(({ status }) => status)).toEqual([
      'success',
      'error',
    ])
  })

  test('[GATE-2] runs under the tool’s real name, and a tool of no name is refused in the words of core', async () => {
    const { play, runs } = await run([
      activate('history'),
      call('bash', { command: 'git log' }),
      call('WRITE', { file_path: 'a' }),
      call('rm_rf', {}),
      say,
    ])
    expect(runs).toEqual([['Bash', { command: 'git log' }]])
    expect(resultOf(play, 'call_2_1')).toBe('Bash ran with {"command":"git log"}')
    expect(refusalOf(play, 'call_3_1').code).toBe('TOOL_NOT_ALLOWED')
    expect(refusalOf(play, 'call_4_1').code).toBe('TOOL_UNKNOWN')
  })

  test.each(['v1', 'v2'] as const)(
    '[GATE-5] beside others is judged by the skills of its message (tools node %s)',
    async (version) => {
      const script: ScriptStep[] = [
        activate('editing'),
        {
          calls: [
            { tool: 'deactivate_skill', input: {} },
            { tool: 'Bash', input: { command: 'ls' } },
            { tool: 'Read', input: { file_path: 'a' } },
          ],
        },
        call('Bash', { command: 'ls' }),
        say,
      ]
      const { play, runs } = await run(script, { version })
      expect(refusalOf(play, 'call_2_2').code).toBe('TOOL_NOT_ALLOWED')
      expect(runs).toEqual([
        ['Read', { file_path: 'a' }],
        ['Bash', { command: 'ls' }],
      ])
    },
  )

  test('[ACT-6] beside others that activate makes one stack in the order of the calls', async () => {
    const play = endpoint.play([
      { calls: ['free', 'editing', 'history'].map((name) => ({ tool: 'activate_skill', input: { name } })) },
      say,
    ])
    const agent = createAgent({
      ...hostOf(play),
      middleware: [skillsMiddleware(await openSkills(), yes)],
    })
    await agent.invoke(user('Hello'), thread('one'))
    expect(await activeSkills(agent, thread('one'))).toEqual(['free', 'editing', 'history'])
  })

  test.each([
    [new RangeError('The disk is on fire: $& <x>'), 'The disk is on fire: $& <x>'],
    ['only words', 'only words'],
    [null, 'null'],
    [undefined, 'undefined'],
  ])('[ADPT-4, GATE-5] of a tool that throws %s shows the model what it says, and goes on', async (error, shown) => {
    const failing = tool(
      () => {
        throw error
      },
      { name: 'Fail', description: 'Fails.', schema: z.object({}) },
    )
    const { play, result } = await run([activate('free'), call('Fail', {}), say], { tools: [failing] })
    expect(resultOf(play, 'call_2_1')).toBe(shown)
    expect(result.messages.at(-1)!.text).toBe('Done.')
  })

  test('[ADPT-2] in which another middleware fails stops the run, as LangChain has it', async () => {
    const failing = createMiddleware({
      name: 'failing',
      wrapToolCall: () => {
        throw new Error('The middleware is broken.')
      },
    })
    const play = endpoint.play([call('Read', { file_path: 'a' }), say])
    const agent = createAgent({
      model: modelOf(play),
      tools: hostTools(),
      middleware: [skillsMiddleware(await openSkills(), yes), failing],
    })
    await expect(agent.invoke(user('Hello'))).rejects.toThrow('The middleware is broken.')
  })

  test('[ADPT-2] with input that the tool’s schema refuses is answered by LangChain, and nothing runs', async () => {
    const { play, runs } = await run([call('Bash', { cmd: 'ls' }), say])
    expect(resultOf(play, 'call_1_1')).toContain('did not match expected schema')
    expect(runs).toEqual([])
  })

  test('[ADPT-2] whose tool returns a Command passes untouched', async () => {
    const noted = createMiddleware({
      name: 'noted',
      stateSchema: new StateSchema({
        notes: new ReducedValue(
          z.array(z.string()).default(() => []),
          { reducer: (a, b) => [...a, ...b] },
        ),
      }),
    })
    const note = tool(
      (_, { toolCallId }: ToolRuntime) =>
        new Command({
          update: { notes: ['one'], messages: [new ToolMessage({ content: 'Noted.', tool_call_id: toolCallId })] },
        }),
      { name: 'Note', description: 'Notes.', schema: z.object({}) },
    )
    const { play, result } = await run([call('Note', {}), say], { tools: [note], middleware: [noted] })
    expect(resultOf(play, 'call_1_1')).toBe('Noted.')
    expect(result).toMatchObject({ notes: ['one'] })
  })

  test('[GATE-1] of a tool that another middleware brings is judged like any other', async () => {
    const runs: string[] = []
    const extra = tool(() => String(runs.push('extra')), { name: 'Extra', description: 'Extra.', schema: z.object({}) })
    const bringing = createMiddleware({
      name: 'bringing',
      wrapModelCall: (request, handler) => handler({ ...request, tools: [...request.tools, extra] }),
      wrapToolCall: (request, handler) =>
        handler(request.toolCall.name === 'Extra' ? { ...request, tool: extra } : request),
    })
    const { play } = await run([call('Extra', {}), activate('editing'), call('Extra', {}), say], {
      middleware: [bringing],
    })
    expect(runs).toEqual(['extra'])
    expect(offered(play.requests[0])).toContain('Extra')
    expect(refusalOf(play, 'call_3_1').code).toBe('TOOL_NOT_ALLOWED')
  })

  test.each([
    ['with', new MemorySaver()],
    ['without', undefined],
  ])(
    '[GATE-1, ADPT-10] of a tool that another middleware kept from the model is judged like any other, %s a checkpointer',
    async (_, checkpointer) => {
      const keeping = createMiddleware({
        name: 'keeping',
        wrapModelCall: (request, handler) => handler({ ...request, tools: [] }),
      })
      const read = call('Read', { file_path: 'a' })
      const { play, runs } = await run([read, activate('history'), read, say], { middleware: [keeping], checkpointer })
      expect(runs).toEqual([['Read', { file_path: 'a' }]])
      expect(refusalOf(play, 'call_3_1').code).toBe('TOOL_NOT_ALLOWED')
    },
  )

  test('[ADPT-2] whose tool asks a person itself is suspended and resumed by LangGraph', async () => {
    const play = endpoint.play([activate('free'), call('Ask', {}), say])
    const asking = tool(() => `The person says ${String(interrupt('How?'))}.`, {
      name: 'Ask',
      description: 'Asks.',
      schema: z.object({}),
    })
    const agent = createAgent({
      model: modelOf(play),
      tools: [asking],
      checkpointer: new MemorySaver(),
      middleware: [skillsMiddleware(await openSkills(), yes)],
    })
    expect(await agent.invoke(user('Hello'), thread('one'))).toMatchObject({ __interrupt__: [{ value: 'How?' }] })
    await agent.invoke(new Command({ resume: 'gently' }), thread('one'))
    expect(resultOf(play, 'call_2_1')).toBe('The person says gently.')
  })

  test('[ADPT-2] leaves a structured answer at the end as it is', async () => {
    const play = endpoint.play([activate('editing'), call('extract-1', { mark: 7 }), say])
    const agent = createAgent({
      model: modelOf(play),
      tools: hostTools(),
      middleware: [skillsMiddleware(await openSkills(), yes)],
      responseFormat: toolStrategy({
        title: 'extract-1',
        type: 'object',
        properties: { mark: { type: 'number' } },
        required: ['mark'],
      }),
    })
    const { structuredResponse } = await agent.invoke(user('Hello'))
    expect(structuredResponse).toEqual({ mark: 7 })
  })
})
