import { describe, expect, test } from 'vitest'
import { activate, call, tool, useEndpoint, type Way, ways } from './agent.ts'
import type { Message } from '../src/index.ts'

const open = useEndpoint()
const native: Way = { protocol: 'native', streamed: false }

/** What a tool returns: a fifth of the window. */
const LONG = 'A line of a long file. '.repeat(90)
const long = () => tool('Read', () => LONG)
const summaries = { keepMessages: 4, keepFewestMessages: 2 }
const settings = { context: { window: 3_000, summaries } }

const task: readonly Message[] = [
  { role: 'user', content: 'Find the fault.' },
  ...['a', 'b', 'c', 'd'].flatMap((id): readonly Message[] => [
    { role: 'assistant', content: '', calls: [{ id, tool: 'Read', input: { path: id } }] },
    { role: 'tool', callId: id, tool: 'Read', content: LONG, isError: false },
  ]),
]

describe.each(ways)('%s', (_, way) => {
  test('[WIN-7, WIN-8, WIN-9] asks the model for a summary, shows it at every step, and leaves the conversation as it is', async () => {
    const agent = await open(way, {
      settings,
      tools: [tool('Read')],
      script: [{ text: 'Four files were read.' }, call('Read', { path: 'e' }), { text: 'Found.' }],
    })
    const { messages, text, steps } = await agent.run(task)
    expect([text, steps]).toEqual(['Found.', 2])
    expect(messages.slice(0, task.length)).toEqual(task)
    expect(messages).toHaveLength(task.length + 3)
    const [summary, first, second] = agent.play.requests
    expect(summary?.tools).toEqual([])
    expect(summary?.messages).toHaveLength(1)
    expect(first?.messages[0]?.text).toContain('Four files were read.')
    expect(first?.messages.map(({ role }) => role).slice(0, 3)).toEqual(['user', 'user', 'assistant'])
    expect(first?.messages[1]?.text).toBe('Find the fault.')
    expect(second?.messages.slice(0, first?.messages.length)).toEqual(first?.messages)
    expect(agent.events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('')).not.toContain(
      'Four files',
    )
    expect(agent.audit.map(({ type }) => type).filter((type) => type.startsWith('window.'))).toEqual([
      'window.summarized',
    ])
    expect(agent.play.failures).toEqual([])
  })
})

test('[WIN-4, ACT-14] shows the instructions of an active skill once when their message was summarised', async () => {
  const agent = await open(native, {
    settings: { context: { window: 3_000, summaries: { ...summaries, summarize: () => 'Two files were read.' } } },
    tools: [long()],
    script: [
      activate('reading'),
      call('Read', { path: 'a' }),
      call('Read', { path: 'b' }),
      call('Read', { path: 'c' }),
      call('Read', { path: 'd' }),
      { text: 'Done.' },
    ],
  })
  await agent.run('Begin.')
  const times = agent.play.requests.map(({ raw }) => JSON.stringify(raw).split('Read slowly.').length - 1)
  expect(times).toEqual([0, 1, 1, 1, 1, 1])
  const { system, messages } = agent.play.requests.at(-1)!
  expect(system).toContain('Read slowly.')
  expect(messages[0]?.text).toContain('Two files were read.')
})

test('[WIN-8] goes on with an extract where the model fails at a summary', async () => {
  const problems: string[] = []
  const agent = await open(native, {
    settings,
    sessionOptions: { onProblem: ({ code }) => problems.push(code) },
    tools: [long()],
    script: [{ status: 400, message: 'too long' }, { text: 'Found.' }],
  })
  expect((await agent.run(task)).text).toBe('Found.')
  expect(problems).toEqual(['SUMMARY_FAILED'])
  expect(agent.play.requests[1]?.messages[0]?.text).toContain('A line of a long file.')
})

test('[WIN-8, ADPT-3, ABUSE-121] an abort does not wait for a summary', async () => {
  const stop = new AbortController()
  const summarize = (): Promise<never> => {
    stop.abort(new Error('The user pressed stop.'))
    return new Promise<never>(() => {})
  }
  const agent = await open(native, {
    settings: { context: { window: 3_000, summaries: { ...summaries, summarize } } },
    tools: [long()],
    script: [],
  })
  await expect(agent.run(task, { signal: stop.signal })).rejects.toThrow('pressed stop')
  expect(agent.play.requests).toEqual([])
})
