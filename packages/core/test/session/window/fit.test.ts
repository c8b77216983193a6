import { describe, expect, it } from 'vitest'
import type { WindowMessage } from '../../../src/adapter.ts'
import { activate, HOST, reminderOf } from '../session-world.ts'
import { callAndResult, isSummary, longTask, openWindow, promptOf } from './window-world.ts'

describe('the window of a session', () => {
  it('[WIN-1] is left alone where the host has asked for none', async () => {
    const { send } = await openWindow({ context: { window: undefined, summaries: undefined } })
    const task = longTask(30, 100)
    expect(await send(task)).toEqual(task.map(({ text }) => text))
    const off = await openWindow({ context: { summaries: false } })
    expect(await off.send(task)).toEqual(task.map(({ text }) => text))
  })

  it('[WIN-1] counts system prompt, history, skills and tools', async () => {
    const task = longTask(12, 40)
    const near = await openWindow()
    expect(await near.send(task)).toHaveLength(25)
    const withTools = await openWindow()
    expect(await withTools.send(task, { tools: ['tool '.repeat(400)] })).not.toHaveLength(25)
    const withSystem = await openWindow()
    expect(await withSystem.send(task, { system: 'Be careful. '.repeat(200) })).not.toHaveLength(25)
  })

  it('[WIN-2, WIN-9] shows a summary, what the person said last, and the last 10 messages', async () => {
    const { session, send, events } = await openWindow()
    const task = longTask(13, 60)
    const sent = await send(task)
    expect(isSummary(sent[0])).toBe(true)
    expect(sent[0]).toContain('Summary of 16.')
    expect(sent.slice(1)).toEqual(['Find the fault.', ...task.slice(-10).map(({ text }) => text)])
    expect(session.state.summary).toMatchObject({ text: 'Summary of 16.', covers: 17, shown: 0 })
    expect(events.map(({ type, outcome, window }) => [type, outcome, window?.messages, window?.by])).toEqual([
      ['window.summarized', 'succeeded', 16, 'summarizer'],
    ])
    const { tokensBefore = 0, tokens = 0, size } = events[0]!.window!
    expect([size, tokensBefore > 800, tokens < 800]).toEqual([1_000, true, true])
  })

  it('[WIN-9] shows the same bytes for ten steps after one summary, and asks for no other', async () => {
    let asked = 0
    const { send } = await openWindow({ context: { summaries: { summarize: () => `Summary ${++asked}.` } } })
    let task = longTask(20, 40)
    let before = await send(task)
    for (let step = 0; step < 10; step++) {
      task = [...task, ...callAndResult(100 + step, 5)]
      const sent = await send(task)
      expect(sent.slice(0, before.length)).toEqual(before)
      before = sent
    }
    expect(asked).toBe(1)
  })

  it('[WIN-9] makes the next summary of the last one and what has come since', async () => {
    const asked: { previous: string | undefined; count: number }[] = []
    const summarize = ({ previous, messages }: { previous?: string; messages: readonly unknown[] }): string => {
      asked.push({ previous, count: messages.length })
      return `Summary ${asked.length}.`
    }
    const { send } = await openWindow({ context: { summaries: { summarize } } })
    const task = longTask(13, 60)
    await send(task)
    const later = [...task, { role: 'user', text: 'And the next one.' } as const, ...longTask(8, 60, 50).slice(1)]
    const sent = await send(later)
    // Of the person's first message too: it is not the last any more.
    expect(asked).toEqual([
      { previous: undefined, count: 16 },
      { previous: 'Summary 1.', count: 17 },
    ])
    expect(sent.slice(0, 2)).toEqual([expect.stringContaining('Summary 2.'), 'And the next one.'])
    expect(sent).not.toContain('Find the fault.')
  })

  it('[WIN-9] goes on in another process, with what the session has added to messages or without', async () => {
    const own = (text: string): WindowMessage => ({ role: 'user', text, own: true })
    const [person, ...rest] = longTask(20, 40)
    const first = await openWindow({ sessionSecret: 'secret' })
    const sent = await first.send([person!, own('This skill may fit.'), ...rest])
    expect(sent.slice(1, 3)).toEqual(['Find the fault.', 'This skill may fit.'])
    const saved = JSON.parse(JSON.stringify(first.session.save()))
    const never = (): never => {
      throw new Error('asked again')
    }
    const second = await openWindow(
      { sessionSecret: 'secret', context: { summaries: { summarize: never } } },
      { saved },
    )
    expect(await second.send([person!, ...rest])).toEqual(sent.toSpliced(2, 1))
    expect([second.problems, second.events]).toEqual([[], []])
  })

  it.each([
    ['edited', (task: readonly WindowMessage[]) => task.with(2, { ...task[2]!, text: 'other' })],
    ['shortened', (task: readonly WindowMessage[]) => task.toSpliced(1, 2)],
    ['replaced', () => longTask(3, 10, 700)],
  ])('[WIN-9] drops its summary where the history was %s', async (_, change) => {
    const { session, send, events } = await openWindow()
    const task = longTask(20, 40)
    await send(task)
    const { digest } = session.state.summary!
    const changed = change(task)
    const sent = await send(changed)
    expect(session.state.summary?.digest).not.toBe(digest)
    expect(events.map(({ type }) => type)).toContain('window.forgotten')
    expect(sent.slice(-5)).toEqual(changed.slice(-5).map(({ text }) => text))
  })

  it('[WIN-3, WIN-4, WIN-5] evicts the sections of skills by how they fit, and says so', async () => {
    const big = { keepMessages: 10, summarize: false } as const
    const names = async (match: readonly string[] | undefined, perResult: number): Promise<readonly string[]> => {
      const { session, events } = await openWindow(
        {
          listing: { style: 'matched', budget: false },
          context: { summaries: big },
          catalog: { rank: () => match ?? [] },
        },
        match === undefined ? {} : { turns: { match: {} } },
      )
      await session.beginTurn('Go on.')
      await activate(session, 'editor')
      const view = await session.step({ tools: HOST })
      const system = view.system('Be careful.')!
      const messages = longTask(2, perResult)
      const { system: rest = '' } = await promptOf(view, { system, tools: [], messages })
      const evicted = events.find(({ type }) => type === 'window.evicted')?.window?.skills ?? []
      for (const name of evicted) expect([name, rest.includes(`## Skill: ${name}`)]).toEqual([name, false])
      expect(rest).toContain('## Skill: editor')
      expect(rest.startsWith('Be careful.')).toBe(true)
      return evicted
    }
    expect(await names(undefined, 100)).toEqual([])
    expect(await names(undefined, 460)).toEqual(['free', 'historian', 'mute'])
    expect(await names(['historian', 'free', 'mute'], 300)).toEqual([])
    expect(await names(['historian', 'free', 'mute'], 480)).toEqual(['free', 'mute'])
  })

  it('[WIN-4] counts the instructions of active skills that a summary has taken out, since they are shown again', async () => {
    const { session, send } = await openWindow()
    const outcome = await activate(session, 'free', 'a')
    const text = outcome.ok ? (outcome.text ?? '') : ''
    const task: readonly WindowMessage[] = [
      { role: 'user', text: 'Begin.' },
      { role: 'assistant', text: '', calls: [{ id: 'a', tool: 'activate_skill', input: { name: 'free' } }] },
      { role: 'tool', text, answers: ['a'] },
      ...longTask(20, 40).slice(1),
    ]
    const sent = await send(task)
    expect(sent.some((each) => each.includes(text))).toBe(false)
    expect(await reminderOf(session, (each) => sent.some((shown) => shown.includes(each)))).toBe(text)
  })

  it('[WIN-4] reports what does not fit, once as a problem, and sends it', async () => {
    const { send, problems, events } = await openWindow()
    const task = longTask(2, 700)
    expect(await send(task)).toEqual(task.map(({ text }) => text))
    await send(task)
    expect(problems.map(({ code }) => code)).toEqual(['WINDOW_EXCEEDED'])
    expect(problems[0]?.message).toContain('its window has 1000')
    expect(events.map(({ type, outcome }) => [type, outcome])).toEqual([
      ['window.exceeded', 'failed'],
      ['window.exceeded', 'failed'],
    ])
  })

  it.each([
    ['compaction', { compaction: true } as const, {}],
    ['chain', {}, { chained: true }],
  ])('[WIN-6] leaves a conversation alone that the provider keeps by %s, and says so once', async (_, last, more) => {
    const { session, send, problems, events } = await openWindow()
    const task = longTask(30, 60).map((message, index) => (index === 3 ? { ...message, ...last } : message))
    expect(await send(task, more)).toEqual(task.map(({ text }) => text))
    await send(task, more)
    expect(session.state.summary).toBeUndefined()
    expect(problems.map(({ code }) => code)).toEqual(['WINDOW_LEFT_ALONE'])
    expect(events.map(({ type }) => type)).toEqual(['window.left_alone'])
  })

  it('[WIN-6] changes nothing, also where it ends while a summary is written', async () => {
    const ended = await openWindow({ context: { summaries: { summarize: false } } })
    await ended.session.end()
    const task = longTask(20, 40)
    expect(await ended.send(task)).toEqual(task.map(({ text }) => text))
    const { session, send } = await openWindow({
      context: {
        summaries: {
          summarize: () => {
            void session.end()
            return new Promise(() => undefined)
          },
        },
      },
    })
    expect(await send(task)).toEqual(task.map(({ text }) => text))
  })
})

describe('200 KB of base64 in a result', () => {
  it('[WIN-1, WIN-2] count for what they are, and are cut where a summary is asked for', async () => {
    const bytes = Uint8Array.from({ length: 150_000 }, (_, index) => (index * index * 31 + index) % 256)
    const base64 = Buffer.from(bytes).toString('base64')
    let asked = ''
    const { send, problems } = await openWindow({
      context: {
        window: 150_000,
        summaries: {
          summarize({ prompt }) {
            asked = prompt
            return 'A picture was read.'
          },
        },
      },
      countTokens: 'default',
    })
    const [person, call, result, ...rest] = longTask(8, 10)
    const sent = await send([person!, call!, { ...result!, text: base64 }, ...rest])
    expect(sent.join('\n').length).toBeLessThan(3_000)
    expect(sent[0]).toContain('A picture was read.')
    expect(asked).toContain('characters left out')
    expect(asked.length).toBeLessThan(20_000)
    expect(problems).toEqual([])
  })
})

describe('what is counted', () => {
  const task = longTask(6, 60)
  const summarizedWith = async (change: (message: WindowMessage) => WindowMessage): Promise<boolean> => {
    const { session, send } = await openWindow({
      context: { summaries: { keepMessages: 5, summarize: () => 'Short.' } },
    })
    await send(task.map((message, index) => (index === 2 ? change(message) : message)))
    return session.state.summary !== undefined
  }

  it('[WIN-1] is text, reasoning, files and what tools are called with', async () => {
    const many = 'word '.repeat(500)
    expect(await summarizedWith((message) => message)).toBe(false)
    expect(await summarizedWith((message) => ({ ...message, text: many }))).toBe(true)
    expect(await summarizedWith((message) => ({ ...message, hidden: many }))).toBe(true)
    expect(await summarizedWith((message) => ({ ...message, files: 1 }))).toBe(true)
    const calls = [{ id: 'w', tool: 'Write', input: { text: many } }]
    expect(await summarizedWith((message) => ({ ...message, role: 'assistant', calls }))).toBe(true)
  })

  it('[WIN-6] is only what follows a summary by the provider', async () => {
    const { send, events } = await openWindow()
    await send([...longTask(40, 60), { role: 'assistant', text: 'I go on.', compaction: true }])
    expect(events[0]?.window?.tokens).toBeLessThan(100)
  })

  it('[WIN-9] is not what the session has added: it is no part of a summary', async () => {
    const { send } = await openWindow()
    const own: WindowMessage = { role: 'user', text: 'A skill may fit.', own: true }
    const [person, ...rest] = longTask(13, 60)
    const sent = await send([{ role: 'user', text: 'Hello.' }, own, person!, ...rest])
    // Fifteen of the task, and the first message of the person.
    expect(sent[0]).toContain('Summary of 17.')
  })
})
