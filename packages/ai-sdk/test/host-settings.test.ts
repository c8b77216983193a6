import { memorySource } from '@repertoire/core'
import { adapterSession, type AdapterSession, type StepOptions } from '@repertoire/core/adapter'
import { experimental_toolCaller, jsonSchema, streamText, tool, toolSearch, type ToolSet } from 'ai'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  activate,
  call,
  modelOf,
  notingTools,
  offered,
  openTask,
  refusalOf,
  resultOf,
  SKILL_TOOLS,
  useEndpoint,
  WAYS,
} from './task.ts'
import { withSkills } from '../src/index.ts'

const endpoint = useEndpoint()

describe.each(WAYS)('%s', (_, run) => {
  test('[SHOW-2] extends instructions in every form that AI SDK knows, once', async () => {
    const message = (content: string) => ({
      role: 'system' as const,
      content,
      providerOptions: { loopback: { mark: content } },
    })
    const forms = [
      ['One.', 'One.'],
      [message('One.'), 'One.'],
      [[message('One.'), message('Two.')], 'One.\n\nTwo.'],
      [[], undefined],
      [undefined, undefined],
    ] as const
    for (const [instructions, own] of forms) {
      const { play, model, session } = await openTask(endpoint(), [
        activate('free'),
        activate('free'),
        { text: 'Done.' },
      ])
      await run(model, withSkills(session, { instructions: instructions as never }), 'Hello')
      const expected = adapterSession(session).view({ tools: [] }).system(own)
      expect(play.requests.map(({ system }) => system)).toEqual([expected, expected, expected])
    }
  })

  test("[ADPT-1] takes over what the host's own preparation returns, and lets it hold as AI SDK does", async () => {
    const other = endpoint().play([{ text: 'From the other model.' }])
    const { play, model, session } = await openTask(endpoint(), [activate('free'), call('Bash', {}), call('Read', {})])
    const { tools } = notingTools()
    const seen: unknown[] = []
    const prepareStep = ({
      stepNumber,
      instructions,
      messages,
    }: {
      stepNumber: number
      instructions: unknown
      messages: unknown[]
    }) => {
      seen.push(instructions)
      if (stepNumber === 1) return { instructions: 'From step two on.', activeTools: ['Bash'] as ('Bash' | 'Read')[] }
      if (stepNumber === 3)
        return {
          model: modelOf(other),
          messages: [...messages.slice(0, 1), { role: 'user' as const, content: 'Shortened.' }],
          temperature: 0.5,
        }
      return undefined
    }
    const { text } = await run(
      model,
      withSkills(session, { instructions: 'At first.', tools, prepareStep: prepareStep as never }),
      'Hello',
    )
    expect(text).toBe('From the other model.')
    // The host is shown its own instructions, never the list of skills in them.
    expect(seen).toEqual(['At first.', 'At first.', 'From step two on.', 'From step two on.'])
    const all = [...play.requests, ...other.requests]
    const view = await adapterSession(session).step({ tools: ['Bash', 'Read', 'Write'] })
    // The last request has lost what the activation returned.
    const reminder = await view.reminder(() => false)
    expect(all.map(({ system }) => system)).toEqual([
      view.system('At first.'),
      view.system('From step two on.'),
      view.system('From step two on.'),
      `${view.system('From step two on.')}\n\n${reminder}`,
    ])
    expect(all.map(offered)).toEqual([
      ['Bash', 'Read', 'Write', 'activate_skill'],
      ['Bash', ...SKILL_TOOLS],
      ['Bash', 'Read', 'Write', ...SKILL_TOOLS],
      ['Bash', 'Read', 'Write', ...SKILL_TOOLS],
    ])
    expect(other.requests[0]).toMatchObject({
      messages: [{ text: 'Hello' }, { text: 'Shortened.' }],
      raw: { temperature: 0.5 },
    })
  })

  test('[GATE-1] answers in the words of core for a tool that the host took from a step', async () => {
    const { play, model, session } = await openTask(endpoint(), [call('Read', {}), activate('free'), { text: 'Done.' }])
    const { runs, tools } = notingTools()
    await run(model, withSkills(session, { tools, prepareStep: () => ({ activeTools: ['Bash'] as const }) }), 'Hello')
    expect(runs).toEqual([])
    expect(refusalOf(play, 'call_1_1').code).toBe('TOOL_UNKNOWN')
    expect(resultOf(play, 'call_2_1')).toContain('DO AS YOU LIKE.')
  })

  test('[GATE-1] shows a tool that the host forces, and refuses it if it is not allowed', async () => {
    const { play, model, session } = await openTask(endpoint(), [call('Write', {}), { text: 'Done.' }])
    await session.call({ id: 'before', tool: 'activate_skill', input: { name: 'careful' } }, () => undefined)
    const { runs, tools } = notingTools()
    const prepareStep = ({ stepNumber }: { stepNumber: number }) => ({
      toolChoice: stepNumber === 0 ? ({ type: 'tool', toolName: 'Write' } as const) : ('auto' as const),
    })
    await run(model, withSkills(session, { tools, prepareStep }), 'Hello')
    expect(play.requests.map((request) => offered(request).includes('Write'))).toEqual([true, false])
    expect(refusalOf(play, 'call_1_1').code).toBe('TOOL_NOT_ALLOWED')
    expect(runs).toEqual([])
  })

  test("[GATE-1] asks the host's own repair, and judges what it makes of a call", async () => {
    const script = [
      activate('careful'),
      call('shell', { command: 'git log' }),
      call('shell', { command: 'rm -rf .' }),
      call('Bash', { raw: 'git status' }),
      { text: 'Done.' },
    ]
    const { play, model, session } = await openTask(endpoint(), script)
    const { runs, tools } = notingTools()
    const repairToolCall = ({ toolCall }: any) =>
      Promise.resolve(
        toolCall.toolName === 'shell'
          ? { ...toolCall, toolName: 'Bash' }
          : { ...toolCall, input: JSON.stringify({ command: toolCall.input }) },
      )
    await run(model, withSkills(session, { tools, repairToolCall }), 'Hello')
    expect(runs).toEqual(['Bash {"command":"git log"}', 'Bash {"command":"git status"}'])
    expect(refusalOf(play, 'call_3_1').code).toBe('TOOL_NOT_ALLOWED')
  })

  test("[ADPT-1] leaves a tool's context, output, order and own `this` as they are", async () => {
    class Counter {
      readonly description = 'Counts.'
      readonly inputSchema = z.object({ by: z.number().transform((by) => by * 2) })
      readonly contextSchema = z.object({ start: z.number() })
      // As the last tool message of a call that stands in history is shown.
      readonly toModelOutput = ({ output }: { output: { total: number } }) => ({
        type: 'text' as const,
        value: `total ${output.total}`,
      })
      #calls = 0
      execute({ by }: { by: number }, { context, toolCallId }: { context: { start: number }; toolCallId: string }) {
        this.#calls += 1
        return { total: context.start + by, calls: this.#calls, toolCallId }
      }
    }
    const { play, model, session } = await openTask(endpoint(), [
      call('Count', { by: 3 }),
      call('Count', { by: 4 }),
      { text: 'Done.' },
    ])
    const { content } = await run(model, withSkills(session, { tools: { Count: new Counter() as never } }), 'Hello', {
      toolsContext: { Count: { start: 100 } },
    })
    const outputs = content.filter((part) => part.type === 'tool-result').map(({ output }) => output as unknown)
    expect(outputs).toEqual([
      { total: 106, calls: 1, toolCallId: 'call_1_1' },
      { total: 108, calls: 2, toolCallId: 'call_2_1' },
    ])
    expect([resultOf(play, 'call_1_1'), resultOf(play, 'call_2_1')]).toEqual(['total 106', 'total 108'])
  })

  test('[GATE-1] gates a tool that streams its output, and one that only returns a stream', async () => {
    const runs: string[] = []
    async function* outputs(name: string) {
      runs.push(name)
      yield 'half'
      yield 'whole'
    }
    const inputSchema = z.object({ fail: z.boolean().optional() })
    const tools: ToolSet = {
      Read: tool({
        inputSchema,
        async *execute({ fail }) {
          yield* outputs('Read')
          if (fail === true) throw new RangeError('Broken off.')
        },
      }),
      Bash: tool({ inputSchema: jsonSchema<{ command: string }>({ type: 'object' }), execute: () => outputs('Bash') }),
      Write: tool({
        inputSchema,
        async *execute() {
          yield* outputs('Write')
        },
      }),
    }
    const script = [
      activate('careful'),
      call('Read', {}),
      call('Bash', { command: 'git log' }),
      call('Write', {}),
      call('Read', { fail: true }),
      { text: 'Done.' },
    ]
    const { play, model, session } = await openTask(endpoint(), script)
    await run(model, withSkills(session, { tools }), 'Hello')
    expect(runs).toEqual(['Read', 'Bash', 'Read'])
    expect([resultOf(play, 'call_2_1'), resultOf(play, 'call_3_1'), resultOf(play, 'call_5_1')]).toEqual([
      'whole',
      'whole',
      'Broken off.',
    ])
    expect(refusalOf(play, 'call_4_1').code).toBe('TOOL_NOT_ALLOWED')
  })

  test('[GATE-1] hands a tool a copy of the input that was judged, and leaves the conversation as the model wrote it', async () => {
    const { play, model, session } = await openTask(endpoint(), [call('Change', { n: 1 }), { text: 'Done.' }])
    const change = tool({
      inputSchema: z.object({ n: z.number() }),
      execute(input) {
        input.n = 2
        return 'changed'
      },
    })
    await run(model, withSkills(session, { tools: { Change: change } }), 'Hello')
    expect(play.requests[1]!.messages[1]!.calls).toEqual([{ id: 'call_1_1', tool: 'Change', arguments: '{"n":1}' }])
  })

  test('[GATE-1] gates a tool that calls others, which AI SDK binds anew, and the calls that it makes', async () => {
    const { runs, tools } = notingTools()
    const runner = experimental_toolCaller(tool({ inputSchema: z.object({}), execute: () => 'unbound' }), {
      type: 'local',
      bind: (inner) =>
        tool({
          description: 'Calls the other tools.',
          inputSchema: z.object({}),
          async execute(_input, options) {
            runs.push('Code')
            const results = ['Read', 'Write'].map(
              (name) => inner[name]!.execute!({}, options as never) as Promise<string>,
            )
            return (await Promise.allSettled(results)).map(({ status }) => status)
          },
        }),
    })
    const settings = { tools: { ...tools, Code: runner } }
    const extra = { experimental_toolCallers: { Read: ['Code'], Write: ['Code'] } }
    const skills = {
      coding: { 'SKILL.md': '---\nname: coding\ndescription: Codes.\nallowed-tools: Read Code\n---\nBody.\n' },
      reading: { 'SKILL.md': '---\nname: reading\ndescription: Reads.\nallowed-tools: Read\n---\nBody.\n' },
    }
    const sources = [memorySource({ layer: 'project', skills })]
    const script = [activate('coding'), call('Code', {}), activate('reading'), call('Code', {}), { text: 'Done.' }]
    const { play, model, session } = await openTask(endpoint(), script, {}, { sources })
    await run(model, withSkills(session, settings), 'Hello', extra)
    expect(runs).toEqual(['Code', 'Read {}'])
    expect(resultOf(play, 'call_2_1')).toBe('["fulfilled","rejected"]')
    expect(refusalOf(play, 'call_4_1').code).toBe('TOOL_NOT_ALLOWED')
  })

  test('[SHOW-3] describes the skill tools at every model call as the session does then', async () => {
    const { play, model, session } = await openTask(endpoint(), [call('none', {}), { text: 'Done.' }])
    let steps = 0
    const changing: AdapterSession = Object.create(session, {
      step: {
        async value(options: StepOptions) {
          const step = await adapterSession(session).step(options)
          steps += 1
          const tools = step.tools.map((each) => ({
            ...each,
            description: `${steps}`,
            inputSchema: { ...each.inputSchema, title: `${steps}` },
          }))
          return { ...step, tools }
        },
      },
    })
    await run(model, withSkills(changing), 'Hello')
    const shown = play.requests.map((request) =>
      request.tools.map(({ description, inputSchema }) => [description, inputSchema['title']]),
    )
    expect(shown).toEqual(['1', '2'].map((step) => [[step, step]]))
  })

  test('[GATE-1] gates the search over deferred tools, which AI SDK carries out itself, and what it finds', async () => {
    const { runs, tools } = notingTools()
    const all = {
      Search: toolSearch(),
      Bash: { ...tools.Bash, deferLoading: true },
      Write: { ...tools.Write, deferLoading: true },
    } as ToolSet
    const free = await openTask(endpoint(), [call('Search', { query: 'Bash' }), call('Bash', {}), { text: 'Done.' }])
    await run(free.model, withSkills(free.session, { tools: all }), 'Hello')
    expect(runs).toEqual(['Bash {}'])
    expect(free.play.requests.map(offered)).toEqual([
      ['Search', 'activate_skill'],
      ['Search', 'Bash', 'activate_skill'],
      ['Search', 'Bash', 'activate_skill'],
    ])

    const { play, model, session } = await openTask(endpoint(), [
      activate('careful'),
      call('Search', { query: 'Write' }),
      call('Write', {}),
      { text: 'Done.' },
    ])
    await run(model, withSkills(session, { tools: all }), 'Hello')
    expect(runs).toEqual(['Bash {}'])
    expect([refusalOf(play, 'call_2_1').code, refusalOf(play, 'call_3_1').code]).toEqual([
      'TOOL_NOT_ALLOWED',
      'TOOL_NOT_ALLOWED',
    ])
  })
})

test('[ADPT-1] streams the parts of a streaming tool as they come', async () => {
  const { model, session } = await openTask(endpoint(), [call('Read', {}), { text: 'Done.' }])
  const Read = tool({
    inputSchema: z.object({}),
    async *execute() {
      yield 'half'
      yield 'whole'
    },
  })
  const parts: unknown[] = []
  const result = streamText({ model, prompt: 'Hello', ...withSkills(session, { tools: { Read } }) })
  for await (const part of result.stream) if (part.type === 'tool-result') parts.push([part.output, part.preliminary])
  expect(parts).toEqual([
    ['half', true],
    ['whole', true],
    ['whole', undefined],
  ])
})

test('[ADPT-1] finds a model that is given by its name as AI SDK does', async () => {
  const { play, model, session } = await openTask(endpoint(), [activate('free'), { text: 'Done.' }])
  const named: string[] = []
  const provider = {
    specificationVersion: 'v4',
    languageModel(id: string) {
      named.push(id)
      return model
    },
  }
  globalThis.AI_SDK_DEFAULT_PROVIDER = provider as never
  try {
    const prepareStep = ({ stepNumber }: { stepNumber: number }) =>
      stepNumber === 1 ? { model: 'by-host' } : undefined
    await WAYS[0]![1]('by-name', withSkills(session, { prepareStep }), 'Hello')
  } finally {
    delete (globalThis as { AI_SDK_DEFAULT_PROVIDER?: unknown }).AI_SDK_DEFAULT_PROVIDER
  }
  expect(named).toEqual(['by-name', 'by-host'])
  expect(play.requests.length).toBe(2)
})
