import { type FunctionTool, memorySource, openRepertoire } from '@repertoire/core'
import { sample } from '@repertoire/test-servers/properties'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  activate,
  call,
  lastRefusal,
  openModelEndpoint,
  runConformance,
  say,
  type ScriptStep,
  together,
  unexpected,
} from '../src/index.ts'
import { openConversation } from './careless/conversation.ts'
import type { AdapterDriver, TaskEndpoint } from '../src/index.ts'
import { openAdapterSession } from '@repertoire/core/adapter'
import { callsOf } from './careless/agent.ts'
import { answer, type CallModel, type Message } from './docs/smallest-adapter.ts'
import { agentDriver, conversationDriver } from './careless/driver.ts'
import { checks } from '../src/checks/index.ts'

/** The adapters that the guide leads to, with the share of the checks that each passes at least. */
const ADAPTERS = [
  [agentDriver, 0.7],
  [conversationDriver, 0.78],
] as const
const adapters = sample(ADAPTERS, 2)

describe('docs/adapters.md', () => {
  it('[CONF-2, CONF-11] shows the smallest adapter and the reference that others are compared with', async () => {
    const guide = await readFile(join(import.meta.dirname, '../../../docs/adapters.md'), 'utf8')
    const blocks = [...guide.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code)
    const files = ['docs/smallest-adapter.ts', '../src/oracle/reference.ts']
    const written = await Promise.all(files.map((name) => readFile(join(import.meta.dirname, name), 'utf8')))
    expect(blocks).toEqual(written.map((code) => code.replace("'../driver.ts'", "'@repertoire/conformance'")))
  })

  it(`[CONF-1, CONF-2, ADPT-4] leads to adapters that pass every check that they do not declare absent (${adapters.text})`, async () => {
    for (const [driver, share] of adapters.chosen) {
      const report = await runConformance({ drivers: [driver] })
      expect(unexpected(report)).toEqual([])
      const passed = report.results.filter(({ status }) => status === 'pass')
      expect(passed.length).toBeGreaterThan(checks.length * share)
    }
  }, 120_000)

  it('[CONF-2, ADPT-4] shows a smallest adapter of at most 25 lines that passes the checks of lists, activations, the gate and turns', async () => {
    const source = await readFile(join(import.meta.dirname, 'docs/smallest-adapter.ts'), 'utf8')
    const [, body = ''] = /\nexport async function answer([^]*)\n\}\n/.exec(source) ?? []
    expect(body.split('\n').length + 1).toBeLessThanOrEqual(25)
    const promised = checks.filter(({ id }) => /^(listing|activation|gate|turns)-/.test(id))
    expect(promised.length).toBeGreaterThan(10)
    const report = await runConformance({ drivers: [smallestDriver], checks: promised })
    const failed = report.results.flatMap(({ id, status }) => (status === 'fail' ? [id] : []))
    // It has no models for skills, shows the model no errors of tools, and makes one call after the other.
    expect(failed).toEqual(['activation-model', 'gate-calls', 'gate-side-by-side'])
  }, 120_000)

  describe('the conversation', () => {
    it('[ASK-5, ACT-15] waits with the calls beside the consent request, and carries them out once from what was stored', async () => {
      const calls = together(call('bash', { command: 'ls' }, 'a'), call('Gone', {}, 'b'), activate('careful'))
      const { open, play, runs } = await setUp([calls, say()])
      const first = open()
      const rest = await first.send('Hello')
      if (rest.status !== 'asking') throw new Error('It does not ask.')
      expect([rest.requests.map(({ skill }) => skill), runs]).toEqual([['careful'], []])
      const second = open(JSON.parse(JSON.stringify(first.save())))
      const answers = rest.requests.map(({ id }) => ({ requestId: id, approved: true }))
      expect(await second.answer(answers)).toEqual({ status: 'done', text: 'Done.' })
      expect(runs).toEqual(['Bash'])
      expect(lastRefusal(play, 'b')).toMatchObject({ code: 'TOOL_UNKNOWN' })
      expect(second.session.activeSkills).toEqual(['careful'])
    })

    it('[ASK-5] takes writing on for a no, to a call and to an invocation, and loses no message', async () => {
      const { open, play } = await setUp([activate('careful'), say(), say('Bye.')])
      const conversation = open()
      expect(await conversation.send('Hello')).toMatchObject({ status: 'asking' })
      expect(await conversation.send('Never mind.')).toEqual({ status: 'done', text: 'Done.' })
      const { messages } = play.requests.at(-1)!
      expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user'])
      expect(messages[2]!.text).toContain('CONSENT_DENIED')
      expect(await conversation.send('/careful')).toMatchObject({ status: 'asking' })
      expect(await conversation.send('No.')).toEqual({ status: 'done', text: 'Bye.' })
      expect(play.requests.at(-1)!.messages.map(({ text }) => text)).toEqual(
        expect.arrayContaining(['/careful', expect.stringContaining('CONSENT_DENIED'), 'No.']),
      )
      expect(conversation.session.state.active).toEqual([])
    })

    it('[CONF-2] goes on after an abort in the middle of a call', async () => {
      const leaving = new AbortController()
      const { open, runs } = await setUp([call('Bash', { command: 'ls' }), say()], () => leaving.abort())
      const conversation = open()
      await expect(conversation.send('Hello', leaving.signal)).rejects.toThrow('aborted')
      expect(await conversation.send('Again')).toEqual({ status: 'done', text: 'Done.' })
      expect(runs).toEqual(['Bash'])
    })
  })
})

/** A model that plays a script, one skill, one tool, and what opens a conversation with them, with own catalogs. */
async function setUp(script: readonly ScriptStep[], onRun?: () => void) {
  const endpoint = await openModelEndpoint()
  onTestFinished(() => endpoint.close())
  const play = endpoint.play(script)
  const manifest = '---\nname: careful\ndescription: Is careful.\n---\nLOOK FIRST.\n'
  const sources = [memorySource({ layer: 'project', skills: { careful: { 'SKILL.md': manifest } } })]
  const repertoire = await openRepertoire({ sources })
  const runs: string[] = []
  const bash: FunctionTool = {
    name: 'Bash',
    description: 'Runs a command.',
    inputSchema: { type: 'object' },
    execute: () => {
      runs.push('Bash')
      onRun?.()
    },
  }
  const { baseURL, apiKey } = play
  const parts = { endpoint: { baseURL, apiKey, model: 'm' }, tools: [bash], instructions: 'Be kind.', maxSteps: 5 }
  return {
    play,
    runs,
    open: (saved?: Parameters<typeof openConversation>[0]['saved']) =>
      openConversation({ ...parts, repertoire, options: {}, saved }),
  }
}

/** The smallest adapter, with a model over chat completions. */
const smallestDriver: AdapterDriver = {
  ...agentDriver,
  name: 'guide-smallest',
  known: { '*/auditEvents': 'It records no models.', '*/usage': 'It records no usage.' },
  capabilities: {
    ...agentDriver.capabilities,
    abort: { absent: 'it has no signal' },
    approval: { absent: 'it asks nobody' },
  },
  start: async ({ repertoire, session: options, tools, endpoint, instructions }) => {
    const session = openAdapterSession(repertoire, options)
    let messages: Message[] = []
    const model: CallModel = async (request) => {
      const asked = { ...request, system: [instructions, request.system].filter(Boolean).join('\n\n') }
      return complete(endpoint, asked)
    }
    return {
      async send(text) {
        messages.push({ role: 'user', content: text })
        return { status: 'done', text: await answer(session, messages, tools, model) }
      },
      forget: async () => void (messages = []),
      active: async () => session.activeSkills,
      end: () => session.end(),
      answer: () => Promise.reject(new Error('There is nothing to answer.')),
      save: () => Promise.reject(new Error('There is nothing to save.')),
    }
  },
}

async function complete(
  { baseURL, apiKey, model }: TaskEndpoint,
  { system, messages, tools }: Parameters<CallModel>[0],
): ReturnType<CallModel> {
  const response = await fetch(`${baseURL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({
      model,
      messages: [
        { role: 'system', content: system },
        ...messages.map(({ role, content, calls = [], callId }) => ({
          role,
          content,
          ...(callId !== undefined && { tool_call_id: callId }),
          ...(calls.length > 0 && {
            tool_calls: calls.map(({ id, tool, input }) => ({
              id,
              type: 'function',
              function: { name: tool, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
            })),
          }),
        })),
      ],
      ...(tools.length > 0 && {
        tools: tools.map(({ name, description, inputSchema }) => ({
          type: 'function',
          function: { name, description, parameters: inputSchema },
        })),
      }),
    }),
  })
  const answered: any = await response.json()
  const { message } = answered.choices[0]
  return { content: message.content ?? '', calls: callsOf(message) }
}
