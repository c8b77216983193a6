import { setTimeout } from 'node:timers/promises'
import { memorySessions, memorySource, openRepertoire } from '@repertoire/core'
import {
  Agent,
  type AgentInputItem,
  type AgentOutputItem,
  type FunctionTool,
  type Model,
  type ModelRequest,
  RunContext,
  Runner,
  type RunResult,
  type StreamEvent,
  type StreamedRunResult,
  tool,
  toolNamespace,
  Usage,
} from '@openai/agents'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { agentTool, skillsRunner } from '../src/index.ts'
import { openSkills, skill } from './task.ts'

type Ended = RunResult<any, any> | StreamedRunResult<any, any>

function say(text: string): AgentOutputItem {
  return { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] }
}

function callOf(name: string, input: object, callId: string): AgentOutputItem {
  return { type: 'function_call', name, callId, arguments: JSON.stringify(input), status: 'completed' }
}

/** A model that plays answers, and keeps what it was sent. */
function scripted(...answers: AgentOutputItem[]): Model & { readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = []
  const next = () => [answers[requests.length - 1] ?? say('Done.')]
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
  return {
    requests,
    async getResponse(request) {
      requests.push(request)
      return { usage: new Usage(usage), output: next(), responseId: `resp_${requests.length}` }
    },
    async *getStreamedResponse(request) {
      requests.push(request)
      yield { type: 'response_done', response: { id: `resp_${requests.length}`, usage, output: next() } } as StreamEvent
    },
  }
}

/** The function that runs agents, without skills and with them. */
async function bothRuns(): Promise<Runner['run'][]> {
  const runner = new Runner({ tracingDisabled: true })
  const skills = skillsRunner({ repertoire: await openSkills(), runner })
  return [runner.run.bind(runner), skills.run]
}

function toolOf(execute: (...args: any[]) => unknown, settings: object = {}): FunctionTool<any, any, any> {
  return tool({ name: 'Look', description: 'Looks.', parameters: z.object({}), execute, ...settings })
}

const look = () => callOf('Look', {}, 'a')

test('[ADPT-10] what a tool returned is in results, for hooks and for functions what it is without skills', async () => {
  const values = [
    'text',
    5,
    false,
    { a: 1 },
    [1, 2],
    5n,
    new Date(0),
    new Uint8Array([1, 2]),
    { type: 'invoice' },
    { type: 'text', text: 'part' },
  ]
  for (const value of values) {
    for (const behavior of ['function', 'stop_on_first_tool'] as const) {
      const seen: unknown[] = []
      for (const run of await bothRuns()) {
        const returned: unknown[] = []
        const agent = new Agent({
          name: 'A',
          model: scripted(look()),
          tools: [toolOf(() => value)],
          toolUseBehavior:
            behavior === 'function'
              ? (_context, results) => {
                  returned.push(results.map((result) => result.type === 'function_output' && result.output))
                  return { isFinalOutput: true, isInterrupted: undefined, finalOutput: 'Ended.' }
                }
              : behavior,
        })
        agent.on('agent_tool_end', (_context, _tool, result) => void returned.push(result))
        const { finalOutput, newItems } = await run(agent, 'Hello')
        seen.push([returned, finalOutput, newItems.map((item) => 'output' in item && item.output)])
      }
      expect(seen[1]).toEqual(seen[0])
    }
  }
})

test('[ADPT-10] a tool with an `outputSchema` returns what it does without skills', async () => {
  const outputs: unknown[] = []
  for (const run of await bothRuns()) {
    const outputSchema = z.object({ files: z.number() })
    const model = scripted(look())
    await run(new Agent({ name: 'A', model, tools: [toolOf(() => ({ files: 2 }), { outputSchema })] }), 'Hello')
    const [result] = (model.requests[1]!.input as AgentInputItem[]).filter(
      ({ type }) => type === 'function_call_result',
    )
    outputs.push(result)
  }
  expect(outputs[0]).toMatchObject({ output: { type: 'text', text: '{"files":2}' } })
  expect(outputs[1]).toEqual(outputs[0])
})

test('[ADPT-10] a tool of a namespace ends a run by its whole name', async () => {
  for (const run of await bothRuns()) {
    const tools = toolNamespace({ name: 'crm', description: 'Customers.', tools: [toolOf(() => 'found')] })
    const model = scripted({ ...look(), namespace: 'crm' } as AgentOutputItem)
    const toolUseBehavior = { stopAtToolNames: ['crm.Look'] }
    expect((await run(new Agent({ name: 'A', model, tools, toolUseBehavior }), 'Hello')).finalOutput).toBe('found')
  }
})

test('[ADPT-10] the time limit of a tool holds, and what waits for a person takes none of it', async () => {
  for (const run of await bothRuns()) {
    const reasons: unknown[] = []
    const never = (_input: unknown, _context: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reasons.push((signal.reason as Error).name)
          reject(signal.reason as Error)
        })
      })
    const agentWith = (settings: object) =>
      new Agent({ name: 'A', model: scripted(look()), tools: [toolOf(never, { timeoutMs: 20, ...settings })] })
    const { newItems } = await run(agentWith({}), 'Hello')
    expect(newItems.flatMap((item) => ('output' in item ? [item.output] : []))).toEqual([
      "Tool 'Look' timed out after 20ms.",
    ])
    expect(reasons).toEqual(['ToolTimeoutError'])
    await expect(run(agentWith({ timeoutBehavior: 'raise_exception' }), 'Hello')).rejects.toThrow('timed out')
  }
  let answered = false
  const repertoire = await openSkills({ policy: { ask: ['Look'] } })
  const consent = async () => {
    await setTimeout(60)
    return (answered = true)
  }
  const skills = skillsRunner({ repertoire, session: { consent }, runner: new Runner({ tracingDisabled: true }) })
  const tools = [toolOf(() => 'seen', { timeoutMs: 30 })]
  const agent = new Agent({ name: 'A', model: scripted(look()), tools, toolUseBehavior: 'stop_on_first_tool' })
  expect((await skills.run(agent, 'Hello')).finalOutput).toBe('seen')
  expect(answered).toBe(true)
})

test('[ADPT-10] the last agent of a run is the host’s own, and the next run goes on with it', async () => {
  for (const stream of [false, true]) {
    for (const run of await bothRuns()) {
      const model = scripted(callOf('transfer_to_B', {}, 'a'), say('Here is B.'), say('Still B.'))
      const second = new Agent({ name: 'B', model })
      const first = new Agent({ name: 'A', model, handoffs: [second] })
      const result = await finished(run(first, 'Hello', { stream: stream as true }))
      expect([result.lastAgent, result.activeAgent]).toEqual([second, second])
      expect(result.lastAgent).toBe(second)
      const next = await run(result.lastAgent, [...result.history, { role: 'user', content: 'And now?' }])
      expect(next.finalOutput).toBe('Still B.')
    }
  }
})

test('[ADPT-10] instructions and `isEnabled` are given the host’s own agent, whose private fields they may read', async () => {
  class Own extends Agent {
    readonly #secret = 'quiet'
    override async getSystemPrompt(): Promise<string> {
      return `Be ${this.#secret}.`
    }
  }
  for (const run of await bothRuns()) {
    const given: unknown[] = []
    const model = scripted()
    const isEnabled = ({ agent }: { agent: unknown }) => given.push(agent) > 0
    const agent = new Agent({
      name: 'A',
      model,
      instructions: (_context, own) => {
        given.push(own)
        return 'Be brief.'
      },
      tools: [toolOf(() => 'seen', { isEnabled })],
    })
    await run(agent, 'Hello')
    expect(given.map((each) => each === agent)).toEqual([true, true])
    const own = scripted()
    await run(new Own({ name: 'A', model: own }), 'Hello')
    expect(own.requests[0]!.systemInstructions).toContain('Be quiet.')
  }
})

test('[ADPT-10] the events of an agent as a tool reach its `onStream` and its `on`', async () => {
  for (const [index, run] of (await bothRuns()).entries()) {
    const model = scripted(callOf('Ask', { input: 'q' }, 'a'), say('Inner.'), say('Outer.'))
    const asked = new Agent({ name: 'B', model })
    const events: string[] = []
    const options = { toolName: 'Ask', toolDescription: 'Asks.', onStream: () => void events.push('onStream') }
    const ask = index === 0 ? asked.asTool(options) : agentTool(asked, options)
    ask.on('run_item_stream_event', ({ event }) => void events.push(event.type))
    await run(new Agent({ name: 'A', model, tools: [ask] }), 'Hello')
    expect(events).toContain('onStream')
    expect(events).toContain('run_item_stream_event')
  }
})

test('[ADPT-10] an agent as a tool has the model and the provider of its `runConfig`', async () => {
  for (const [index, run] of (await bothRuns()).entries()) {
    const inner = scripted(look(), say('Inner.'))
    const named: string[] = []
    const getModel = async (name = '') => (named.push(name), inner)
    for (const [settings, runConfig] of [
      [{}, { model: inner }],
      [{ model: 'small' }, { modelProvider: { getModel } }],
    ]) {
      const asked = new Agent({ name: 'B', tools: [toolOf(() => 'seen')], ...settings })
      const options = { toolName: 'Ask', toolDescription: 'Asks.', runConfig: runConfig as object }
      const tools = [index === 0 ? asked.asTool(options) : agentTool(asked, options)]
      const model = scripted(callOf('Ask', { input: 'q' }, 'a'), say('Outer.'))
      expect((await run(new Agent({ name: 'A', model, tools }), 'Hello')).finalOutput).toBe('Outer.')
    }
    expect(inner.requests).toHaveLength(3)
    expect(named.length).toBeGreaterThan(0)
    expect(new Set(named)).toEqual(new Set(['small']))
  }
})

test('[ADPT-10] the settings that the SDK knows of a model by its name are the same', async () => {
  const cases = [
    { agent: { model: 'gpt-5.2' }, runner: { reasoning: { summary: 'auto' } } },
    { agent: { model: 'gpt-5.2' }, runner: {} },
    { agent: { model: 'gpt-4.1' }, runner: { text: { verbosity: 'low' } } },
    { agent: { prompt: { promptId: 'pmpt_1' } }, runner: {} },
  ] as const
  for (const { agent, runner: modelSettings } of cases) {
    const model = Object.assign(scripted(), { supportsPromptModelSelection: true })
    const runner = new Runner({ tracingDisabled: true, modelProvider: { getModel: async () => model }, modelSettings })
    const skills = skillsRunner({ repertoire: await openSkills(), runner })
    for (const run of [runner.run.bind(runner), skills.run]) await run(new Agent({ name: 'A', ...agent }), 'Hello')
    const [without, beside] = model.requests.map((request) => request.modelSettings)
    expect(beside).toEqual(without)
  }
})

test('[ADPT-10, ASK-5] a run that waits is restored with a context of the host’s', async () => {
  const seen: unknown[] = []
  const tools = [toolOf((_input, { context }: RunContext) => seen.push(context), { needsApproval: true })]
  const agent = new Agent<any, any>({ name: 'A', model: scripted(look()), tools })
  const skills = skillsRunner({ repertoire: await openSkills(), sessions: memorySessions() }).task('a')
  const { state } = await skills.run(agent, 'Hello')
  const open = Symbol('not serialized')
  const restored = await skills.restore(agent, state.toString(), new RunContext({ open }), {
    contextStrategy: 'replace',
  })
  restored.approve(restored.getInterruptions()[0]!)
  await skills.run(agent, restored)
  expect(seen).toEqual([{ open }])
})

async function finished(run: Promise<Ended>): Promise<Ended> {
  const result = await run
  if ('completed' in result) await result.completed
  return result
}

test.each([{ previousResponseId: 'resp_0' }, { conversationId: 'conv_1' }])(
  '[ADPT-10, ACT-12] a `/name` that waited reaches a server that keeps the history: %o',
  async (kept) => {
    const sources = [memorySource({ layer: 'project', skills: skill('ship', '', 'SHIP IT.') })]
    for (const [stream, fresh] of [
      [false, false],
      [true, false],
      [false, true],
      [true, true],
    ]) {
      const repertoire = await openRepertoire({ sources })
      const sessions = memorySessions()
      const open = () => skillsRunner({ repertoire, sessions, runner: new Runner({ tracingDisabled: true }) }).task('a')
      const model = scripted(say('Shipped.'), say('Again.'))
      const agent = new Agent({ name: 'A', model })
      const options = { ...kept, stream: stream as true }
      const asked = await finished(open().run(agent, '/ship the tea', options))
      expect(model.requests).toEqual([])
      const chat = open()
      const state = fresh ? await chat.restore(agent, asked.state.toString()) : asked.state
      for (const interruption of state.getInterruptions()) state.approve(interruption)
      const { finalOutput, lastResponseId } = await finished(chat.run(agent, state as never, options))
      expect(finalOutput).toBe('Shipped.')
      const next = 'previousResponseId' in kept ? { ...options, previousResponseId: lastResponseId! } : options
      await finished(chat.run(agent, 'And now?', next))
      const [first, second] = model.requests
      expect(first).toMatchObject(kept)
      expect((first!.input as { content: string }[]).map(({ content }) => content)).toEqual([
        '/ship the tea',
        expect.stringContaining('SHIP IT.'),
      ])
      expect(second!.input).toMatchObject([{ content: 'And now?' }])
      if ('previousResponseId' in kept) expect(second!.previousResponseId).toBe('resp_1')
    }
  },
)
