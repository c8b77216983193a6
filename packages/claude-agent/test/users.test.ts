import {
  createSdkMcpServer,
  type HookCallback,
  type Options,
  type SDKUserMessage,
  tool as mcpTool,
} from '@anthropic-ai/claude-agent-sdk'
import { type FunctionTool, memorySessions } from '@repertoire/core'
import { freshProcesses, lacksClaudeCode } from '@repertoire/test-servers'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { claudeAgent } from '../src/index.ts'
import { useEndpoint } from './endpoint.ts'
import type { Job, Report } from './query-process.ts'
import { activate, bash, call, last, open } from './task.ts'

// Every query starts a process, which takes its time on a loaded machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const CAREFUL = 'description: Looks first.\nallowed-tools: Read\n---\nLOOK FIRST.'
const careful = { careful: CAREFUL }
const session = { consent: () => true }

const person = (text: string): SDKUserMessage => ({
  type: 'user',
  message: { role: 'user', content: text },
  parent_tool_use_id: null,
})

const functionTool = (name: string, execute: FunctionTool['execute']): FunctionTool => ({
  name,
  description: `The function ${name}.`,
  inputSchema: { type: 'object', properties: {} },
  execute,
})

describe.skipIf(lacksClaudeCode())('as users of the SDK do (needs Claude Code)', () => {
  const play = useEndpoint()
  const processes = freshProcesses<Job, Report>(fileURLToPath(new URL('query-process.ts', import.meta.url)))
  afterAll(() => processes.close())

  it('[ADPT-8, ACT-12] answers the messages of a stream in one query, with /name in the second', async () => {
    const { options, model } = play([{ text: 'One.' }, { text: 'Two.' }, call('Write'), { text: 'Three.' }])
    const answered = Promise.withResolvers<void>()
    const again = Promise.withResolvers<void>()
    async function* messages() {
      yield person('Hello')
      await answered.promise
      yield person('/careful Look.')
      await again.promise
      yield person('Write.')
    }
    const writes: string[] = []
    const functions = [functionTool('Write', () => writes.push('written'))]
    const allowedTools = ['mcp__skills__Write']
    const agent = claudeAgent({
      repertoire: await open(careful),
      session,
      functions,
      options: { ...options, allowedTools },
    })
    const texts: string[] = []
    for await (const message of agent.query(messages())) {
      if (message.type !== 'result' || message.subtype !== 'success') continue
      texts.push(message.result)
      if (texts.length === 1) answered.resolve()
      else again.resolve()
    }
    const [, second] = model.requests
    expect(second!.messages.at(-1)!.text).toBe('/careful Look.')
    expect(texts).toEqual(['One.', 'Two.', 'Three.'])
    expect(writes).toEqual([])
  })

  it('[ADPT-8, ACT-7] an abort reaches the running function, and ends the query with its reason', async () => {
    const { options } = play([activate('careful'), call('Wait'), { text: 'Too late.' }])
    const abort = new AbortController()
    const aborted: unknown[] = []
    const wait = functionTool('Wait', (_, { signal }) => {
      const stopped = new Promise((resolve) =>
        signal?.addEventListener('abort', () => resolve(aborted.push(signal.reason))),
      )
      abort.abort(new Error('Enough.'))
      return stopped
    })
    const repertoire = await open({ careful: CAREFUL.replace('Read', 'Wait') })
    const agent = claudeAgent({
      repertoire,
      session,
      functions: [wait],
      options: { ...options, allowedTools: ['mcp__skills__Wait'] },
    })
    await expect(last(agent.query('Hello', { abortController: abort }))).rejects.toThrow('Enough.')
    expect(aborted).toEqual([new Error('Enough.')])
  })

  it.each([
    ['a person edits, in `canUseTool`', 'person'],
    ['a hook edits, in `updatedInput`', 'hook'],
  ])('[ADPT-10, ABUSE-150] judges and runs what %s', async (_, by) => {
    const edits = (tool: string, input: object) =>
      tool === 'Bash' ? { ...input, command: 'touch edited' } : { to: 'edited' }
    const canUseTool: Options['canUseTool'] = async (tool, input) => {
      return { behavior: 'allow', updatedInput: edits(tool, input) }
    }
    const hook: HookCallback = async (input) => {
      if (input.hook_event_name !== 'PreToolUse') return {}
      const updatedInput = edits(input.tool_name, input.tool_input as object)
      return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput } }
    }
    const own: Options = by === 'person' ? { canUseTool } : { hooks: { PreToolUse: [{ hooks: [hook] }] } }
    for (const deny of [[], ['Bash(touch edited)']]) {
      const { options, home, resultOf } = play([
        bash('touch written'),
        call('Send', { to: 'written' }),
        { text: 'Done.' },
      ])
      const sent: unknown[] = []
      const started: unknown[] = []
      const Send = functionTool('Send', (input) => sent.push(input))
      const write = ({ type, tool }: { type: string; tool?: string }) =>
        void (type === 'tool.started' && started.push(tool))
      const agent = claudeAgent({
        repertoire: await open(careful, { write }),
        session: { policy: { deny } },
        functions: [Send],
        options: { ...options, tools: ['Bash'], ...own },
      })
      expect(await last(agent.query('Hello'))).toMatchObject({ result: 'Done.' })
      expect(sent).toEqual([{ to: 'edited' }])
      expect(readdirSync(home).filter((name) => name.endsWith('ed'))).toEqual(deny.length === 0 ? ['edited'] : [])
      if (deny.length > 0) expect(resultOf('call_1_1')).toContain('TOOL_NOT_ALLOWED')
      // Each call as the model wrote it, and as it was edited.
      expect(started).toEqual([...(deny.length > 0 ? ['Bash'] : ['Bash', 'Bash']), 'Send', 'Send'])
      rmSync(join(home, 'edited'), { force: true })
    }
  })

  it('[ADPT-10, ABUSE-150] asks once more about an input that a person edits while consenting to it', async () => {
    const { options, resultOf } = play([bash('echo written'), { text: 'Done.' }])
    const asked: unknown[] = []
    const canUseTool: Options['canUseTool'] = async (_, input) => {
      asked.push(input['command'])
      return { behavior: 'allow', updatedInput: { ...input, command: 'echo edited' } }
    }
    const agent = claudeAgent({
      repertoire: await open(careful),
      session: { policy: { ask: ['Bash'] } },
      options: { ...options, tools: ['Bash'], canUseTool },
    })
    await last(agent.query('Hello'))
    expect(asked).toEqual(['echo written', 'echo edited'])
    expect(resultOf('call_1_1')).toBe('edited')
  })

  it('[ADPT-10] goes on with the last conversation of the folder by `continue`', async () => {
    const { options, model } = play([{ text: 'One.' }, { text: 'Two.' }])
    const agent = claudeAgent({ repertoire: await open(careful), options })
    const first = await last(agent.query('Hello'))
    expect(await last(agent.query('Go on', { continue: true }))).toMatchObject({
      result: 'Two.',
      session_id: first.session_id,
    })
    expect(model.requests[1]!.messages.map(({ text }) => text)).toEqual([
      expect.stringMatching(/Hello$/),
      'One.',
      'Go on',
    ])
    const stored = claudeAgent({ repertoire: await open(careful), options, sessions: memorySessions() })
    await expect(last(stored.query('Go on', { continue: true }))).rejects.toThrow('{ resume: sessionId }')
  })

  it('[ADPT-10, ASK-1] asks in plan mode about calls that may run, and not about those that are over', async () => {
    const { options, resultOf } = play([call('Send'), activate('careful'), call('Send'), { text: 'Done.' }])
    const asked: string[] = []
    const sent: string[] = []
    const canUseTool: Options['canUseTool'] = async (tool, input) => {
      asked.push(tool)
      return { behavior: 'allow', updatedInput: input }
    }
    const agent = claudeAgent({
      repertoire: await open(careful),
      session,
      functions: [functionTool('Send', () => sent.push('sent'))],
      options: { ...options, permissionMode: 'plan', canUseTool },
    })
    await last(agent.query('Hello'))
    expect([asked, sent]).toEqual([['mcp__skills__Send'], ['sent']])
    expect(resultOf('call_2_1')).toContain('LOOK FIRST.')
    expect(resultOf('call_3_1')).toContain('TOOL_NOT_ALLOWED')
  })

  it('[ASK-1] asks once about a skill in one message, also behind a call of a tool that nothing has listed', async () => {
    const look = mcpTool('look', 'Looks.', {}, async () => ({ content: [{ type: 'text', text: 'Seen.' }] }))
    const [one] = activate('careful').calls
    const { options, resultOf } = play([
      { calls: [one!, { tool: 'mcp__mine__look', input: {} }, one!] },
      { text: 'Done.' },
    ])
    const asked: string[] = []
    const mcpServers = { mine: createSdkMcpServer({ name: 'mine', tools: [look], alwaysLoad: true }) }
    const agent = claudeAgent({
      repertoire: await open(careful),
      session: { consent: ({ skill = '' }) => asked.push(skill) < 0 },
      options: { ...options, mcpServers, allowedTools: ['mcp__mine__look'] },
    })
    await last(agent.query('Hello'))
    expect(asked).toEqual(['careful'])
    expect(['call_1_1', 'call_1_2', 'call_1_3'].map(resultOf)).toEqual([
      expect.stringContaining('CONSENT_DENIED'),
      'Seen.',
      expect.stringContaining('CONSENT_DENIED'),
    ])
  })

  it('[ADPT-8, ACT-8] keeps two conversations apart that run at once', async () => {
    const one = play([activate('careful'), bash('echo one'), { text: 'One.' }])
    const other = play([bash('echo other'), { text: 'Other.' }])
    const agent = claudeAgent({ repertoire: await open(careful), session })
    const both = await Promise.all(
      [one, other].map(({ options }) =>
        last(agent.query('Hello', { ...options, tools: ['Bash'], allowedTools: ['Bash'] })),
      ),
    )
    expect(both).toMatchObject([{ result: 'One.' }, { result: 'Other.' }])
    expect(one.resultOf('call_2_1')).toContain('TOOL_NOT_ALLOWED')
    expect(other.resultOf('call_1_1')).toBe('other')
  })

  it('[ADPT-8] tells the model what a function throws, and goes on', async () => {
    const { options, resultOf } = play([call('Fails'), { text: 'I see.' }])
    const functions = [functionTool('Fails', () => Promise.reject(new Error('The disk is full.')))]
    const agent = claudeAgent({
      repertoire: await open(careful),
      functions,
      options: { ...options, allowedTools: ['mcp__skills__Fails'] },
    })
    expect(await last(agent.query('Hello'))).toMatchObject({ result: 'I see.' })
    expect(resultOf('call_1_1')).toContain('The disk is full.')
  })

  it('[ADPT-8, ACT-15] goes on in another process with the saved session and the id of the conversation', async () => {
    const { model, home, resultOf } = play([activate('careful'), { text: 'Active.' }, bash('id'), { text: 'Done.' }])
    const { baseURL, apiKey, model: name } = model
    const job: Job = { skills: careful, home, model: { baseURL, apiKey, model: name }, say: 'Hello' }
    const saved = await processes.run('one', job)
    expect(saved.active).toEqual(['careful'])
    const later = await processes.run('one', { ...job, say: 'And now?', saved })
    expect(later).toMatchObject({ resume: saved.resume, active: ['careful'] })
    expect(resultOf('call_3_1')).toContain('TOOL_NOT_ALLOWED')
    expect(model.requests.at(-1)!.messages[0]!.text).toMatch(/Hello$/)
  })

  it('[ADPT-8, ACT-10] runs a skill with context: fork in its own query, and shows the result alone', async () => {
    const survey = 'description: Surveys.\ncontext: fork\nagent: reader\n---\nSURVEY ALL.'
    const { options, model, resultOf } = play([
      activate('survey'),
      call('Count'),
      { text: 'Two files.' },
      { text: 'There are two.' },
    ])
    const agent = claudeAgent({
      repertoire: await open({ survey }),
      session,
      subagents: { reader: { instructions: 'You read.', functions: [functionTool('Count', () => 2)] } },
      options: { ...options, allowedTools: ['mcp__skills__Count'] },
    })
    expect(await last(agent.query('Hello'))).toMatchObject({ result: 'There are two.' })
    expect(model.requests[1]!.system).toContain('You read.')
    expect(JSON.stringify(model.requests[1]!.messages)).toContain('SURVEY ALL.')
    expect(resultOf('call_2_1')).toBe('2')
    expect(resultOf('call_1_1')).toContain('Two files.')
    expect(JSON.stringify(model.requests[3]!.messages)).not.toContain('SURVEY ALL.')
  })
})
