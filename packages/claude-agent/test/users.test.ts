import type { SDKUserMessage } from '@anthropic-ai/claude-agent-sdk'
import type { FunctionTool } from '@repertoire/core'
import { freshProcesses, lacksClaudeCode } from '@repertoire/test-servers'
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

  it('[ADPT-8, ACT-10] runs a skill with context: fork in a query of its own, and shows the result alone', async () => {
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
