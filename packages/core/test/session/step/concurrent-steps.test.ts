import { describe, expect, it } from 'vitest'
import { adapterSession, openAdapterSession } from '../../../src/adapter.ts'
import type { AuditEvent, ForkRunner } from '../../../src/index.ts'
import { memorySource } from '../../../src/index.ts'
import { code } from '../outcome.ts'
import { HOST, open, skillText } from '../session-world.ts'

const bash = (id = 'b') => ({ id, tool: 'Bash', input: { command: 'ls' } })
const search = (id = 's') => ({ id, tool: 'Search', input: { q: 'x' } })
const activating = (name: string, id = name) => ({ id, tool: 'activate_skill', input: { name } })
const ran = (): string => 'ran'

describe('steps of one session that exist at once', () => {
  it('[ACT-6, ACT-17] offer and judge by their own tools and stack, side by side', async () => {
    const { session } = await open()
    const first = await session.step({ tools: HOST })
    expect(await first.call(activating('editor'))).toMatchObject({ ok: true })
    const second = await session.step({ tools: ['Read', 'Search'] })
    for (const _ of ['once', 'and after calls of the other']) {
      expect([first.hostTools, second.hostTools]).toEqual([HOST, ['Read', 'Search']])
      expect([first.isHidden('Bash'), second.isHidden('Search'), second.isHidden('Read')]).toEqual([false, true, false])
      expect(await first.call(bash(), ran)).toMatchObject({ ok: true, value: 'ran' })
      expect((await first.inspect(bash())).refusal).toBeUndefined()
      expect(code(await first.call(search(), ran))).toBe('TOOL_UNKNOWN')
      expect(code(await second.call(search(), ran))).toBe('TOOL_NOT_ALLOWED')
      expect((await second.inspect(search())).refusal?.refusal.code).toBe('TOOL_NOT_ALLOWED')
      expect(code(await second.call(bash(), ran))).toBe('TOOL_UNKNOWN')
      expect([first.toolName('search'), second.toolName('search')]).toEqual([undefined, 'Search'])
    }
    // The session itself is judged by what is active now, under the tools of the step that began last.
    expect(code(await session.call(search(), ran))).toBe('TOOL_NOT_ALLOWED')
    expect(code(await session.call(bash(), ran))).toBe('TOOL_UNKNOWN')
  })

  it('[ACT-6, ACT-17] begin together, and each knows the activations of its own message', async () => {
    const { session } = await open()
    const steps = await Promise.all([HOST, ['Read']].map((tools) => session.step({ tools })))
    const texts = await Promise.all(
      steps.flatMap((step, at) => ['1', '2'].map(async (id) => step.call(activating('free', `${at}${id}`)))),
    )
    expect(texts.map(({ text }) => text?.includes('Body of free.'))).toEqual([true, false, false, false])
    expect(session.activeSkills).toEqual(['free'])
  })

  it('[ACT-17, ADPT-10] are not disturbed by steps that begin and end within their calls', async () => {
    const { session } = await open()
    const outer = await session.step({ tools: HOST })
    const before = [outer.tools, outer.instructions]
    const nested = async (): Promise<unknown> => {
      const inner = await session.step({ tools: ['Search'] })
      expect(await inner.call(search(), ran)).toMatchObject({ ok: true })
      expect(code(await inner.call(bash(), ran))).toBe('TOOL_UNKNOWN')
      expect(await inner.call(activating('mute'))).toMatchObject({ ok: true })
      // What is activated counts from the next step on, there too.
      expect(await inner.call(search(), ran)).toMatchObject({ ok: true })
      return code(await (await session.step({ tools: ['Search'] })).call(search(), ran))
    }
    expect(await outer.call(bash(), nested)).toMatchObject({ ok: true, value: 'TOOL_NOT_ALLOWED' })
    expect(await outer.call(bash('b2'), ran)).toMatchObject({ ok: true })
    expect([[outer.tools, outer.instructions], outer.isHidden('Bash')]).toEqual([before, false])
    expect((await session.step({ tools: HOST })).isHidden('Bash')).toBe(true)
  })

  it('[ACT-17, ADPT-10] ask about an approved call and run it under their own tools, also in another process', async () => {
    const policy = { ask: ['Search', 'Bash'] }
    const { session, repertoire } = await open({ consent: undefined, policy })
    const outer = await session.step({ tools: HOST })
    const inner = await session.step({ tools: ['Search'] })
    await session.step({ tools: ['Read'] })
    expect(await outer.openConsent(search())).toBeUndefined()
    const [{ id: asked } = { id: '' }, request] = [await inner.openConsent(search()), await outer.openConsent(bash())]
    expect(request).toMatchObject({ callId: 'b' })
    session.answer({ requestId: asked, approved: true })
    session.answer({ requestId: request!.id, approved: false })
    const resumed = openAdapterSession(repertoire, { saved: session.save(), policy })
    for (const at of [inner, await resumed.step({ tools: ['Search'] })])
      expect(await at.call(search(), ran)).toMatchObject({ ok: true, value: 'ran' })
    expect([outer.deniedText(bash(), 'no'), inner.deniedText(search())]).toEqual([
      expect.stringContaining('no'),
      undefined,
    ])
    expect(code(await outer.call(bash(), ran))).toBe('CALL_DENIED')
  })

  it('[ACT-10, ACT-17] give two sub-agents of one message the tools and the stack of that message', async () => {
    const skills = {
      apart: { 'SKILL.md': skillText('apart', 'context: fork\n') },
      free: { 'SKILL.md': skillText('free') },
    }
    const { session } = await open({}, { sources: [memorySource({ layer: 'project', skills })] })
    const step = await session.step({ tools: HOST })
    await step.call(activating('free'))
    const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const working =
      (at: 0 | 1, tool: string): ForkRunner =>
      async ({ session: opened }) => {
        const child = adapterSession(opened)
        const own = await child.step({ tools: [tool] })
        both[at]!.resolve()
        await Promise.all(both.map(({ promise }) => promise))
        const outcomes = [await own.call(search(), ran), await own.call(bash(), ran)]
        return `${child.activeSkills.join()} ${outcomes.map(code).join()}`
      }
    const texts = await Promise.all([
      step.call(activating('apart', 'one'), ran, { fork: working(0, 'Search') }),
      step.call(activating('apart', 'two'), ran, { fork: working(1, 'Bash') }),
    ])
    expect(texts.map(({ text }) => text)).toEqual([
      expect.stringContaining('apart ok,TOOL_UNKNOWN'),
      expect.stringContaining('apart TOOL_UNKNOWN,ok'),
    ])
    expect(await step.call(bash(), ran)).toMatchObject({ ok: true })
  })

  it('[ACT-17, OBS-2] put their own model on record, of their usage and their events; the session itself puts none', async () => {
    const events: AuditEvent[] = []
    const { session } = await open({}, { audit: { write: (event) => void events.push(event) } })
    const [weak, strong] = [
      await session.step({ tools: HOST, nameOf: () => 'weak' }),
      await session.step({ tools: HOST, nameOf: () => 'strong' }),
    ]
    await weak.call(bash('w'), async () => {
      strong.recordUsage({ inputTokens: 2 })
      await strong.call(bash('s'), ran)
    })
    weak.recordUsage({ inputTokens: 1 })
    await strong.reminder(() => true)
    await session.call(bash('n'), ran)
    await session.end()
    const models = events.map(({ callId, usage, model }) => [callId ?? usage?.inputTokens ?? 'shown', model])
    expect(new Set(models.map((each) => each.join()))).toEqual(
      new Set(['w,weak', '2,strong', 's,strong', '1,weak', 'shown,strong', 'n,']),
    )
  })
})
