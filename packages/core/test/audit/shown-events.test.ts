import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { ForkRunner } from '../../src/index.ts'
import { skillText, step } from '../session/session-world.ts'
import { longTask, words, promptOf } from '../session/window/window-world.ts'
import { openShown, send, source } from './shown-world.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

describe('what a step shows', () => {
  it('[OBS-6] is recorded once, with the skills in the order of the list, the tools as they are sent, and the digest of the prompt', async () => {
    const { session, steps, events } = await openShown()
    const sent = await send(session)
    expect(steps()).toMatchObject([
      {
        step: 1,
        skills: ['editor', 'free', 'historian', 'mute'].map((name) => ({ name, as: 'whole' })),
        left: [],
        tools: ['Bash', 'Read', 'Write', 'activate_skill'],
        digest: sha256(sent.system),
      },
    ])
    expect(steps()[0]).not.toHaveProperty('withheld')
    expect(steps()[0]).not.toHaveProperty('text')
    expect(events[0]).toMatchObject({ outcome: 'succeeded', session: 'task', model: 'model-a', skills: [] })
    expect(Object.isFrozen(events[0]!.shown!.skills[0])).toBe(true)
  })

  it('[OBS-6] is not recorded again where the call is tried again, nor for a step without a model call', async () => {
    const { session, steps } = await openShown()
    await session.step({ tools: ['Read'] })
    const sent = await send(session)
    await promptOf(sent.step, { system: 'Other.', tools: [], messages: [] })
    await sent.step.reminder(() => true)
    sent.step.recordUsage({ inputTokens: 1 })
    expect(steps().map(({ step: number }) => number)).toEqual([1])
    await send(session)
    expect(steps().map(({ step: number }) => number)).toEqual([1, 2])
  })

  it('[OBS-6] is recorded with the reminder where a framework sends the conversation itself', async () => {
    const { session, steps, events } = await openShown()
    const begun = await session.step({ tools: ['Read'] })
    await begun.reminder(() => true)
    begun.recordUsage({ inputTokens: 1 })
    await session.end()
    expect(events.map(({ type }) => type)).toEqual(['skills.shown', 'model.called'])
    expect(steps()[0]).toMatchObject({ tools: ['Read', 'activate_skill'], digest: sha256(begun.instructions) })
    expect(steps()[0]!.tokens).not.toHaveProperty('messages')
  })

  it('[OBS-6] is numbered over all the processes that a session is opened in', async () => {
    const { session, repertoire, steps } = await openShown()
    await send(session)
    const saved = JSON.parse(JSON.stringify(session.save())) as ReturnType<typeof session.save>
    await send(repertoire.openSession({ saved }))
    expect(steps().map(({ step: number }) => number)).toEqual([1, 2])
  })

  it('[OBS-6, ACT-10] is numbered in a sub-agent from 1, and has the instructions that it works by', async () => {
    const skills = { apart: skillText('apart', 'context: fork\n') }
    const { session, events } = await openShown({ sources: [source(skills)] })
    await send(session)
    const fork: ForkRunner = async ({ session: child, message }) => {
      await send(child, { messages: [{ role: 'user', text: message }] })
      return 'done'
    }
    await session.call({ id: 'f', tool: 'activate_skill', input: { name: 'apart' } }, () => '', { fork })
    const shown = events.filter(({ type }) => type === 'skills.shown')
    expect(shown.map((event) => [event.session, event.shown?.step])).toEqual([
      ['task', 1],
      ['task/f', 1],
    ])
    expect(shown[1]!.shown!.tokens.bodies).toBeGreaterThan(5)
  })

  it('[OBS-6] is not recorded once the task has ended, and changes no state without a sink', async () => {
    const { session, steps } = await openShown({}, { onProblem: () => undefined })
    await session.end()
    await send(session)
    expect(steps()).toEqual([])
    const { session: unaudited } = await openShown({ audit: [] })
    const sent = await send(unaudited)
    await sent.step.reminder(() => true)
    sent.step.recordUsage({})
    expect(unaudited.state.steps).toBeUndefined()
  })

  it('[OBS-6] has the prompt itself only where inputs are recorded, without secrets and cut', async () => {
    const { session, steps } = await openShown({}, {}, { inputs: 'redacted' })
    await send(session, { own: `Key: sk-ant-api03-${'x'.repeat(80)}\nBe careful. ${'long '.repeat(10_000)}` })
    const { text = '' } = steps()[0]!
    expect(text).toContain('Be careful.')
    expect(text).not.toContain('sk-ant')
    expect(text).not.toContain('\n')
    expect(text).toHaveLength(32_000)
  })

  it('[OBS-6] says which tools active skills and the policy withhold, and by which rule', async () => {
    const skills = { strict: skillText('strict', 'allowed-tools: Read\ndisallowed-tools: Write\n') }
    const { session, steps } = await openShown(
      { sources: [source(skills)] },
      { policy: { allow: ['Read', 'Write', 'Bash'], deny: ['Bash'] } },
    )
    await step(session, 'activate_skill', { name: 'strict' })
    await send(session, { tools: ['Bash', 'Read', 'Write', 'Other'] })
    const { tools, withheld } = steps().at(-1)!
    expect(tools.slice(0, 2)).toEqual(['Read', 'activate_skill'])
    expect(withheld).toEqual([
      { tool: 'Bash', reason: "It is denied by the host's policy: Bash." },
      { tool: 'Write', skill: 'strict', reason: 'It is denied by the rules of the active skill "strict": Write.' },
      { tool: 'Other', reason: "It is not allowed by the host's policy." },
    ])
    await step(session, 'deactivate_skill', {})
    const { session: narrow, steps: narrowSteps } = await openShown()
    await step(narrow, 'activate_skill', { name: 'mute' })
    await send(narrow, { tools: ['Read'] })
    expect(narrowSteps().at(-1)!.withheld).toEqual([
      { tool: 'Read', skill: 'mute', reason: 'It is not allowed by the rules of the active skill "mute".' },
    ])
  })

  it('[OBS-6] names the tools that the adapter sends, also where it sends fewer than the step offers', async () => {
    const { session, steps } = await openShown()
    const offered = [JSON.stringify({ name: 'activate_skill' }), JSON.stringify({ function: { name: 'Read' } })]
    const first = await session.step({ tools: ['Read', 'Search'] })
    await promptOf(first, { system: 'Mine.', tools: offered, messages: [] })
    expect(steps()[0]).toMatchObject({
      tools: ['activate_skill', 'Read'],
      withheld: [{ tool: 'Search', reason: 'The adapter does not offer it.' }],
    })
    const second = await session.step({ tools: ['Read', 'Search'] })
    await promptOf(second, { system: 'Mine.', tools: ['<tool name="Read"/>', '7'], messages: [] })
    expect(steps()[1]!.tools).toEqual(['Read', 'Search', 'activate_skill'])
  })

  it('[OBS-6] names at most 500 of each, and counts the others', async () => {
    const many = Object.fromEntries(Array.from({ length: 620 }, (_, at) => [`s${at}`, skillText(`s${at}`)]))
    const { session, steps } = await openShown(
      { sources: [source(many)], listing: { budget: false, search: 'never' } },
      {},
    )
    const tools = Array.from({ length: 510 }, (_, at) => `tool${at}`)
    await send(session, { tools })
    const [all] = steps()
    expect([all!.skills.length, all!.tools.length, all!.left.length]).toEqual([500, 500, 0])
    expect(all!.more).toEqual({ skills: 120, tools: 11 })
    const { session: none, steps: hidden } = await openShown({ sources: [source(many)] }, { skills: [] })
    await send(none, { tools: [] })
    expect([hidden()[0]!.left.length, hidden()[0]!.more]).toEqual([500, { left: 120 }])
  })
})

describe('the tokens of a step', () => {
  it.each(['xml', 'section', 'tool', 'tools', 'matched'] as const)(
    '[OBS-6, WIN-1] add up to what is sent, in the style %s, before and after a conversation has lost its instructions',
    async (style) => {
      const { session, steps } = await openShown({
        listing: { style, search: 'never' },
        context: { countTokens: words },
      })
      const tool = style === 'tools' ? 'skill_free' : 'activate_skill'
      const { text = '' } = (await step(session, tool, { name: 'free' })) as { text?: string }
      const message = { role: 'tool', text: `${text}\nand more`, answers: ['c'] } as const
      for (const messages of [[message], []]) {
        const sent = await send(session, { own: 'One two three.', messages })
        const { tokens } = steps().at(-1)!
        const sum = Object.values(tokens).reduce((all, part) => all + part, 0)
        const whole = [sent.system, ...sent.tools, ...sent.messages].reduce((all, each) => all + words(each), 0)
        expect(sum).toBe(whole + 4 * messages.length)
        expect(tokens.list).toBeGreaterThan(5)
        expect(tokens.bodies).toBe(words(text.split('\n\nPaths start')[0]!))
      }
    },
  )

  it('[OBS-6] of each listed skill are those of its entry', async () => {
    const { session, steps } = await openShown({ context: { countTokens: words } })
    const { system } = await send(session)
    for (const { name, tokens } of steps()[0]!.skills) {
      const line = system.split('\n').find((each) => each.startsWith(`- ${name}`))
      expect(tokens).toBe(words(line!))
    }
  })

  it('[OBS-6, WIN-1] are those that the window is kept by, with a summary in the place of messages', async () => {
    const { session, steps, events } = await openShown({
      context: { window: 300, countTokens: words, summaries: { summarize: () => 'A summary.', keepMessages: 6 } },
    })
    await send(session, { messages: longTask(20, 20) })
    const { tokens } = steps()[0]!
    const { window } = events.findLast(({ type }) => type === 'window.summarized')!
    expect(Object.values(tokens).reduce((all, part) => all + part, 0)).toBe(window!.tokens)
  })

  it('[OBS-6] are estimated where the counter of the host fails', async () => {
    const failing = (): number => {
      throw new Error('no')
    }
    const { session, steps } = await openShown({ context: { countTokens: failing } })
    await send(session)
    expect(steps()[0]!.tokens.list).toBeGreaterThan(10)
  })
})
