import { describe, expect, it } from 'vitest'
import { adapterSession, openAdapterSession } from '../../../src/adapter.ts'
import { type AuditEvent, type ForkRunner, memorySource } from '../../../src/index.ts'
import { code } from '../outcome.ts'
import { HOST, open, skillText } from '../session-world.ts'

const bash = (id = 'b') => ({ id, tool: 'Bash', input: { command: 'ls' } })
const search = { id: 's', tool: 'Search', input: { q: 'x' } }
const activating = (name: string, id = name) => ({ id, tool: 'activate_skill', input: { name } })
const ran = (): string => 'ran'

describe('steps of one session that exist at once', () => {
  it('[ACT-6, ACT-17] offer and judge by their own tools and stack, side by side', async () => {
    const { session } = await open()
    const first = await session.step({ tools: HOST })
    await first.call(activating('editor'))
    const second = await session.step({ tools: ['Read', 'Search'] })
    for (const _ of ['once', 'and after calls of the other']) {
      expect([first.hostTools, second.hostTools]).toEqual([HOST, ['Read', 'Search']])
      expect([first.isHidden('Bash'), second.isHidden('Search'), second.isHidden('Read')]).toEqual([false, true, false])
      expect([first.toolName('search'), second.toolName('search')]).toEqual([undefined, 'Search'])
      const outcomes = [await first.call(bash(), ran), await first.call(search, ran), await second.call(search, ran)]
      expect(outcomes.map(code)).toEqual(['ok', 'TOOL_UNKNOWN', 'TOOL_NOT_ALLOWED'])
      expect((await first.preview(bash())).refusal).toBeUndefined()
      expect((await second.preview(search)).refusal?.refusal.code).toBe('TOOL_NOT_ALLOWED')
    }
    // The session itself is judged by what is active now, under the tools of the step that began last.
    expect([await session.call(search, ran), await session.call(bash(), ran)].map(code)).toEqual([
      'TOOL_NOT_ALLOWED',
      'TOOL_UNKNOWN',
    ])
  })

  it('[ACT-6, ACT-17] begin together, and each returns the instructions of a skill at most once', async () => {
    const { session } = await open()
    const steps = await Promise.all([HOST, ['Read']].map((tools) => session.step({ tools })))
    const calls = steps.flatMap((step, at) => ['1', '2'].map((id) => step.call(activating('free', `${at}${id}`))))
    const texts = (await Promise.all(calls)).map(({ text }) => text?.includes('Body of free.'))
    expect([texts, session.activeSkills]).toEqual([[true, false, false, false], ['free']])
  })

  it('[ACT-17, ADPT-10] are not disturbed by steps within their calls', async () => {
    const { session } = await open()
    const outer = await session.step({ tools: HOST })
    const before = [outer.tools, outer.instructions]
    const nested = async (): Promise<unknown> => {
      const inner = await session.step({ tools: ['Search'] })
      const calls = [search, bash(), activating('mute'), search]
      const outcomes: string[] = []
      for (const call of calls) outcomes.push(code(await inner.call(call, ran)))
      // What is activated counts from the next step on, there too.
      const next = await session.step({ tools: ['Search'] })
      return [...outcomes, code(await next.call(search, ran))].join()
    }
    expect(await outer.call(bash(), nested)).toMatchObject({ value: 'ok,TOOL_UNKNOWN,ok,ok,TOOL_NOT_ALLOWED' })
    expect(code(await outer.call(bash('b2'), ran))).toBe('ok')
    expect([[outer.tools, outer.instructions], outer.isHidden('Bash')]).toEqual([before, false])
    expect((await session.step({ tools: HOST })).isHidden('Bash')).toBe(true)
  })

  it('[ACT-17, ADPT-10] ask about a call and run it under their own tools, also in another process', async () => {
    const policy = { ask: ['Search', 'Bash'] }
    const { session, repertoire } = await open({ consent: undefined, policy })
    const [outer, inner] = [await session.step({ tools: HOST }), await session.step({ tools: ['Search'] })]
    await session.step({ tools: ['Read'] })
    expect((await outer.preview(search, { asks: true })).waits).toBeUndefined()
    const requests = [
      (await inner.preview(search, { asks: true })).waits,
      (await outer.preview(bash(), { asks: true })).waits,
    ]
    for (const [at, request] of requests.entries()) session.answer({ requestId: request!.id, approved: at === 0 })
    const resumed = openAdapterSession(repertoire, { saved: session.save(), policy })
    for (const step of [inner, await resumed.step({ tools: ['Search'] })])
      expect(await step.call(search, ran)).toMatchObject({ ok: true, value: 'ran' })
    expect(outer.deniedText(bash(), 'Not now.')).toContain('Not now.')
    expect(inner.deniedText(search)).toBeUndefined()
    expect(code(await outer.call(bash(), ran))).toBe('CALL_DENIED')
  })

  it('[ACT-10, ACT-17] give two sub-agents of one message the stack of that message, each with tools of its own', async () => {
    const skills = { apart: { 'SKILL.md': skillText('apart', 'context: fork\n') } }
    const { session } = await open({}, { sources: [memorySource({ layer: 'project', skills })] })
    const step = await session.step({ tools: HOST })
    const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const run = (at: 0 | 1, tool: string) => {
      const fork: ForkRunner = async ({ session: child }) => {
        const own = await adapterSession(child).step({ tools: [tool] })
        both[at]!.resolve()
        await Promise.all(both.map(({ promise }) => promise))
        const outcomes = [await own.call(search, ran), await own.call(bash(), ran)]
        return [...child.activeSkills, ...outcomes.map(code)].join()
      }
      return step.call(activating('apart', tool), ran, { fork })
    }
    expect(await Promise.all([run(0, 'Search'), run(1, 'Bash')])).toMatchObject([
      { value: { result: 'apart,ok,TOOL_UNKNOWN' } },
      { value: { result: 'apart,TOOL_UNKNOWN,ok' } },
    ])
    expect(code(await step.call(bash(), ran))).toBe('ok')
  })

  it('[ACT-17, OBS-2] put their own model on record, of usage and events; the session itself puts none', async () => {
    const events: AuditEvent[] = []
    const { session } = await open({}, { audit: { write: (event) => void events.push(event) } })
    const stepWith = (model: string) => session.step({ tools: HOST, nameOf: () => model })
    const [weak, strong] = [await stepWith('weak'), await stepWith('strong')]
    await weak.call(bash('w'), async () => {
      strong.recordUsage({ inputTokens: 2 })
      await strong.call(bash('s'), ran)
    })
    weak.recordUsage({ inputTokens: 1 })
    await strong.reminder(() => true)
    await session.call(bash('n'), ran)
    await session.end()
    const models = events.map(({ callId, usage, model }) => `${callId ?? usage?.inputTokens ?? 'shown'} ${model}`)
    expect(new Set(models)).toEqual(
      new Set(['w weak', '2 strong', 's strong', '1 weak', 'shown strong', 'n undefined']),
    )
  })
})
