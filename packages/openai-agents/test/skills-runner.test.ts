import { type AuditEvent, memorySessions, memorySource, openRepertoire } from '@repertoire/core'
import {
  Agent,
  type AgentOutputItem,
  type MCPServer,
  MemorySession,
  type Model,
  type ModelRequest,
  Runner,
  RunState,
  tool,
  Usage,
  toolSearchTool,
  webSearchTool,
} from '@openai/agents'
import { SandboxAgent } from '@openai/agents/sandbox'
import { expect, expectTypeOf, test, vi } from 'vitest'
import { z } from 'zod'
import {
  activate,
  activeIn,
  agentOf,
  call,
  notingTools,
  openSkills,
  resultOf,
  runnerOf,
  skill,
  useEndpoint,
} from './task.ts'
import { agentTool, errorFunction, skillsRunner } from '../src/index.ts'

const endpoint = useEndpoint()
const consent = () => true

test('[ADPT-5] a stream shows the text as it comes, and the SDK keeps the history of a chat', async () => {
  const play = endpoint().play([activate('careful'), { text: 'One.' }, call('Write', {}), { text: 'Two.' }])
  const { runs, tools } = notingTools()
  const sessions = memorySessions()
  const skills = skillsRunner({
    repertoire: await openSkills(),
    sessions,
    session: { consent },
    runner: runnerOf(play),
  })
  const session = new MemorySession()
  const agent = agentOf(play, { tools })
  for (const text of ['One.', 'Two.']) {
    const result = await skills.run(agent, 'Hello', { session, stream: true })
    let shown = ''
    for await (const part of result.toTextStream()) shown += part
    await result.completed
    expect(shown).toBe(text)
  }
  expect(runs).toEqual([])
  expect(resultOf(play, 'call_3_1')).toContain('TOOL_NOT_ALLOWED')
  expect(play.requests.at(-1)!.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
    'assistant',
    'tool',
  ])
})

test('[ADPT-5] two chats at once have a session each, and the agents of the host stay as they are', async () => {
  const plays = [1, 2].map(() => endpoint().play([activate('careful'), call('Write', {}), { text: 'Done.' }]))
  const free = endpoint().play([call('Write', {}), { text: 'Done.' }])
  const { runs, tools } = notingTools()
  const repertoire = await openSkills()
  const agent = agentOf(free, { tools })
  const before = Object.entries(agent)
  await Promise.all(
    [...plays, free].map((play) =>
      skillsRunner({ repertoire, session: { consent }, runner: runnerOf(play) }).run(agent, 'Hello'),
    ),
  )
  expect(runs).toEqual(['Write {}'])
  expect(Object.entries(agent)).toEqual(before)
})

test('[ADPT-5] an aborted run rejects, the tool is stopped, and the next run goes on with the active skill', async () => {
  const abort = new AbortController()
  const stopped = vi.fn()
  const slow = tool({
    name: 'Read',
    description: 'Reads.',
    parameters: z.object({}),
    execute: (_, __, details) =>
      new Promise((_resolve, reject) => {
        details?.signal?.addEventListener('abort', () => {
          stopped()
          reject(new Error('stopped'))
        })
        abort.abort(new Error('Enough.'))
      }),
  })
  const play = endpoint().play([activate('careful'), call('Read', {}), call('Write', {}), { text: 'Done.' }])
  const { runs, tools } = notingTools()
  const repertoire = await openSkills()
  const sessions = memorySessions()
  const skills = skillsRunner({ repertoire, sessions, session: { consent }, runner: runnerOf(play) }).task('a')
  const agent = agentOf(play, { tools: [slow, tools[2]!] })
  await expect(skills.run(agent, 'Hello', { signal: abort.signal })).rejects.toThrow('Enough.')
  expect(stopped).toHaveBeenCalledOnce()
  expect(await activeIn(repertoire, sessions)).toEqual(['careful'])
  expect((await skills.run(agent, 'Go on')).finalOutput).toBe('Done.')
  expect(runs).toEqual([])
})

test('[ADPT-5, GATE-6] an agent as a tool is restricted with its caller, and waits for consent in the caller’s run', async () => {
  const script = [
    call('Review', { input: 'Look.' }),
    activate('careful'),
    call('Write', {}),
    { text: 'Reviewed.' },
    call('Write', {}),
    { text: 'Done.' },
  ]
  const play = endpoint().play(script)
  const { runs, tools } = notingTools()
  const repertoire = await openSkills()
  const sessions = memorySessions()
  const reviewer = agentOf(play, { name: 'Reviewer', tools })
  const agent = agentOf(play, {
    tools: [...tools, agentTool(reviewer, { toolName: 'Review', toolDescription: 'Reviews.' })],
  })
  const open = () => skillsRunner({ repertoire, sessions, runner: runnerOf(play) }).task('a')
  const asked = await open().run(agent, 'Hello')
  expect(asked.interruptions.map(({ name }) => name)).toEqual(['activate_skill'])
  const skills = open()
  const waiting = await skills.restore(agent, asked.state.toString())
  const [pending] = await skills.requests(waiting)
  expect(pending?.request.skill).toBe('careful')
  await skills.answer(waiting, [{ requestId: pending!.request.id, approved: true }])
  const done = await skills.run(agent, waiting)
  expect(done.finalOutput).toBe('Done.')
  expect(runs).toEqual([])
  expect(await activeIn(repertoire, sessions)).toEqual(['careful'])
})

test('[ADPT-5, ASK-5] a yes with `alwaysApprove` gives no consent to the next skill', async () => {
  const play = endpoint().play([activate('free'), activate('careful'), call('Write', {}), { text: 'Done.' }])
  const { runs, tools } = notingTools()
  const repertoire = await openSkills()
  const chat = skillsRunner({ repertoire, sessions: memorySessions(), runner: runnerOf(play) }).task('a')
  const agent = agentOf(play, { tools })
  const { state, interruptions } = await chat.run(agent, 'Hello')
  state.approve(interruptions[0]!, { alwaysApprove: true })
  expect((await chat.run(agent, state)).finalOutput).toBe('Done.')
  expect(resultOf(play, 'call_1_1')).toContain('DO AS YOU LIKE.')
  expect(resultOf(play, 'call_2_1')).toContain('CONSENT_DENIED')
  expect(runs).toEqual(['Write {}'])
})

test('[ADPT-5, GATE-1] a hosted tool is offered only while no skill restricts', async () => {
  const offers: string[][] = []
  const model: Model = {
    async getResponse({ tools }) {
      offers.push(tools.map(({ name }) => name))
      const activation = { type: 'function_call', callId: 'a', name: 'activate_skill', arguments: '{"name":"careful"}' }
      const answer = {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Done.' }],
      }
      return { usage: new Usage(), output: [offers.length === 1 ? activation : answer] as AgentOutputItem[] }
    },
    getStreamedResponse: () => {
      throw new Error('It is not streamed.')
    },
  }
  const agent = new Agent({ name: 'Searcher', model, tools: [webSearchTool(), ...notingTools().tools] })
  const repertoire = await openSkills()
  await skillsRunner({ repertoire, session: { consent }, runner: new Runner({ tracingDisabled: true }) }).run(
    agent,
    'Hi',
  )
  expect(offers.map((names) => names.includes('web_search'))).toEqual([true, false])
  expect(offers[1]).toContain('Read')
})

test('[ADPT-5, GATE-1] a tool that the SDK adds during a run is outside of the gate, and so is not used', async () => {
  const ran = vi.fn(() => 'ran')
  const found = tool({ name: 'Found', description: 'Is found.', parameters: z.object({}), execute: ran })
  const search = {
    type: 'tool_search_call',
    id: 's',
    callId: 's',
    execution: 'client',
    status: 'completed',
    arguments: {},
  }
  const answers = [
    search,
    { type: 'function_call', callId: 'a', name: 'Found', arguments: '{}', status: 'completed' },
    { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Done.' }] },
  ]
  const requests: ModelRequest[] = []
  const model: Model = {
    async getResponse(request) {
      requests.push(request)
      return { usage: new Usage(), output: [answers[requests.length - 1]] as AgentOutputItem[] }
    },
    getStreamedResponse: () => {
      throw new Error('It is not streamed.')
    },
  }
  const tools = [toolSearchTool({ execution: 'client', execute: async () => found })]
  const runner = new Runner({ tracingDisabled: true })
  const repertoire = await openSkills()
  const bare = new Agent({ name: 'Searcher', model, tools })
  await runner.run(bare, 'Hi')
  expect(ran).toHaveBeenCalledOnce()
  requests.length = 0
  await skillsRunner({ repertoire, session: { consent }, runner }).run(bare, 'Hi')
  expect(ran).toHaveBeenCalledOnce()
  expect(requests.map((request) => request.tools.some(({ name }) => name === 'Found'))).toEqual([false, false, false])
  expect(JSON.stringify(requests.at(-1)!.input)).toContain('TOOL_UNKNOWN')
})

test('[ADPT-5, GATE-1] tools of an MCP server pass the gate', async () => {
  const called = vi.fn(async () => [{ type: 'text', text: 'sent' }])
  const inputSchema = { type: 'object', properties: {}, required: [], additionalProperties: false }
  const server = {
    name: 'mail',
    cacheToolsList: true,
    connect: async () => undefined,
    close: async () => undefined,
    listTools: async () => [{ name: 'send', description: 'Sends.', inputSchema }],
    callTool: called,
    invalidateToolsCache: async () => undefined,
  } as unknown as MCPServer
  const play = endpoint().play([call('send', {}), activate('careful'), call('send', {}), { text: 'Done.' }])
  const agent = agentOf(play, { mcpServers: [server] })
  const repertoire = await openSkills()
  await skillsRunner({ repertoire, session: { consent }, runner: runnerOf(play) }).run(agent, 'Hello')
  expect(called).toHaveBeenCalledOnce()
  expect(resultOf(play, 'call_3_1')).toContain('TOOL_NOT_ALLOWED')
})

test('[ADPT-5] structured output, guardrails, hooks and stopping at a tool work as without skills', async () => {
  const play = endpoint().play([
    activate('free'),
    call('Read', {}),
    { text: '{"files":2}' },
    activate('free'),
    call('Read', {}),
  ])
  const { tools } = notingTools()
  const repertoire = await openSkills()
  const runner = runnerOf(play)
  const skills = skillsRunner({ repertoire, session: { consent }, runner })
  const checked: unknown[] = []
  const started: string[] = []
  const agent = new Agent({
    name: 'Counter',
    model: play.model,
    tools,
    outputType: z.object({ files: z.number() }),
    outputGuardrails: [
      {
        name: 'few',
        execute: async ({ agentOutput }) => {
          checked.push(agentOutput)
          return { tripwireTriggered: false, outputInfo: {} }
        },
      },
    ],
  })
  agent.on('agent_tool_start', (_context, { name }) => void started.push(name))
  const { finalOutput } = await skills.run(agent, 'Count.')
  expectTypeOf(finalOutput).toEqualTypeOf<{ files: number } | undefined>()
  expect(finalOutput).toEqual({ files: 2 })
  expect(checked).toEqual([{ files: 2 }])
  expect(started).toEqual(['activate_skill', 'Read'])
  const stopping = agentOf(play, { tools, toolUseBehavior: 'stop_on_first_tool' })
  expect((await skills.run(stopping, 'Read.')).finalOutput).toBe('Read ran')
  const guarded = agentOf(play, {
    inputGuardrails: [
      { name: 'no', runInParallel: false, execute: async () => ({ tripwireTriggered: true, outputInfo: {} }) },
    ],
  })
  await expect(skills.run(guarded, 'Read.')).rejects.toThrow('guardrail')
})

test('[ADPT-5, OBS-1] a tool that throws: the model reads the error, and the audit knows of it with `errorFunction`', async () => {
  const outcomes: string[] = []
  const play = endpoint().play([call('A', {}), call('B', {}), call('C', {})])
  const failing = (name: string, settings: object) =>
    tool({
      name,
      description: 'Fails.',
      parameters: z.object({}),
      execute: () => {
        throw new Error('No disk.')
      },
      ...settings,
    })
  const tools = [
    failing('A', { errorFunction, timeoutMs: 10_000 }),
    failing('B', {}),
    failing('C', { errorFunction: null }),
  ]
  const audit = { write: (event: AuditEvent) => void (event.type === 'tool.finished' && outcomes.push(event.outcome)) }
  const repertoire = await openSkills({ audit })
  const run = skillsRunner({ repertoire, runner: runnerOf(play) }).run(agentOf(play, { tools }), 'Hello')
  // Without an error function the SDK fails the run.
  await expect(run).rejects.toThrow('No disk.')
  expect(resultOf(play, 'call_1_1')).toContain('No disk.')
  expect(resultOf(play, 'call_2_1')).toContain('An error occurred while running the tool')
  expect(outcomes).toEqual(['failed', 'succeeded', 'failed'])
})

test('[ADPT-5, ACT-12, ASK-5] a `/name` waits for consent, also where models may not activate the skill', async () => {
  const skills = skill('ship', 'disable-model-invocation: true', 'SHIP IT.')
  const sources = [memorySource({ layer: 'project', skills })]
  const play = endpoint().play([{ text: 'Shipped.' }, { text: 'Not shipped.' }])
  const agent = agentOf(play)
  for (const approved of [true, false]) {
    const repertoire = await openRepertoire({ sources })
    const sessions = memorySessions()
    const runner = skillsRunner({ repertoire, sessions, runner: runnerOf(play) }).task('a')
    const asked = await runner.run(agent, '/ship the tea')
    expect((await runner.requests(asked.state)).map(({ request }) => request.skill)).toEqual(['ship'])
    const [interruption] = asked.interruptions
    if (approved) asked.state.approve(interruption!)
    else asked.state.reject(interruption!)
    const { finalOutput, history } = await runner.run(agent, asked.state)
    expect(finalOutput).toBe(approved ? 'Shipped.' : 'Not shipped.')
    const { messages } = play.requests.at(-1)!
    expect(messages.map(({ role }) => role)).toEqual(['user', 'user'])
    expect(messages[1]!.text).toContain(approved ? 'SHIP IT.' : 'CONSENT_DENIED')
    expect(await activeIn(repertoire, sessions)).toEqual(approved ? ['ship'] : [])
    expect(history).toHaveLength(4)
  }
})

test('[ADPT-5] mistakes are named', async () => {
  const play = endpoint().play([{ text: 'Done.' }])
  const repertoire = await openSkills()
  const skills = skillsRunner({ repertoire, runner: runnerOf(play) })
  const agent = agentOf(play)
  await expect(skills.run(new SandboxAgent({ name: 'Box' }), 'Hello')).rejects.toThrow('"Box" is a SandboxAgent')
  await expect(skills.task('a').run(agent, 'Hello')).rejects.toThrow('`sessions`')
  expect(() => skillsRunner({ repertoire, runer: 1 } as never)).toThrow('runner')
  const { state } = await runnerOf(play).run(agent, 'Hello')
  expect(state).toBeInstanceOf(RunState)
  await expect(skills.run(agent, state)).rejects.toThrow('restore(agent, text)')
})
