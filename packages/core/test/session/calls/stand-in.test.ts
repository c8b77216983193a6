import { assert, json, oneof, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  beginTurnOrAsk,
  CARRIER,
  readArguments,
  recordDecision,
  standsFor,
  uniqueCallIds,
} from '../../../src/adapter.ts'
import { makeSkills, open, write } from '../activation/hook-world.ts'

makeSkills()

const waits = { consent: undefined }

describe('calls that stand for others', () => {
  test('[ADPT-4, GATE-1] a carrier gives back the name and the arguments that the model wrote', () => {
    assert(
      property(string(), oneof(string(), json()), (name, text) => {
        const call = { id: 'c', tool: CARRIER, input: { name, arguments: text } }
        const meant = { id: 'c', tool: name, input: readArguments(text) }
        expect(standsFor(call)).toEqual({ meant, written: { name, arguments: text } })
      }),
    )
    const call = { id: 'c', tool: 'Bash', input: { command: 'ls' } }
    expect(standsFor(call)).toEqual({ meant: call })
  })

  test('[ASK-1, ADPT-4] a person’s `/name` that needs consent becomes a call, and its answer begins the turn', async () => {
    const { session } = await open({}, waits)
    const { turn, asks } = await beginTurnOrAsk(session, '/plain now')
    expect(turn).toBeUndefined()
    expect(asks!.input).toEqual({ name: 'plain', arguments: 'now', message: '/plain now' })
    const call = { id: asks!.id, tool: 'activate_skill', input: asks!.input }
    expect((await session.preview(call, { asks: true })).waits).toMatchObject({ skill: 'plain', args: 'now' })
    expect(await recordDecision(session, session, call, { approved: true })).toBe(true)
    const { turn: waited } = standsFor(call)
    const begun = await session.beginTurn(waited!.message, { id: waited!.id })
    expect(begun.invoked?.outcome).toMatchObject({ ok: true })
    expect(session.activeSkills).toEqual(['plain'])
  })

  test('[ASK-1] a message that asks for nothing begins its turn, and denies what was left open', async () => {
    const { session } = await open({}, waits)
    const call = { id: 'c', tool: 'activate_skill', input: { name: 'plain' } }
    const request = (await session.preview(call, { asks: true })).waits
    expect((await beginTurnOrAsk(session, 'Never mind.')).turn).toBeDefined()
    expect(session.state.open).toMatchObject([{ id: request!.id, approved: false }])
    expect(await session.call(call, () => 'ran')).toMatchObject({ refusal: { code: 'CONSENT_DENIED' } })
  })

  test('[ASK-1, ABUSE-119] an id that a model writes never stands for a person’s message', async () => {
    const { session } = await open({}, waits)
    const { asks } = await beginTurnOrAsk(session, '/plain')
    const turnOf = (id: string) => standsFor({ id, tool: 'activate_skill', input: asks!.input }).turn
    expect(turnOf(asks!.id)).toBeDefined()
    for (const id of [asks!.id, 'invocation_mine']) expect(turnOf(uniqueCallIds()(id))).toBeUndefined()
  })
})

describe('an approval that a framework reports', () => {
  const call = { id: 'c', tool: 'activate_skill', input: { name: 'plain' } }

  test('[ASK-1, GATE-2] is asked for by the session, by the framework, or by none of them', async () => {
    const policy = { ask: ['Write'], deny: ['Bash'] }
    const { session } = await open({ policy }, waits)
    await session.step({ tools: ['Read', 'Write', 'Bash'] })
    const asked = async (given: typeof call) => {
      const { waits: request, approvable = false } = await session.preview(given, { asks: true })
      return [request !== undefined, approvable]
    }
    const ofHost = (tool: string) => ({ id: tool, tool, input: { name: '' } })
    expect(await asked(call)).toEqual([true, false])
    expect(await asked(ofHost('Write'))).toEqual([true, true])
    expect(await asked(ofHost('Read'))).toEqual([false, true])
    expect(await asked(ofHost('Bash'))).toEqual([false, false])
    await recordDecision(session, session, call, { approved: true })
    expect(await asked(call)).toEqual([false, false])
  })

  test.each([true, false])('[ASK-1] answers the request that the call waits for (%s)', async (approved) => {
    const { session } = await open({}, waits)
    expect(await recordDecision(session, session, call, { approved })).toBe(false)
    await session.preview(call, { asks: true })
    expect(await recordDecision(session, session, call, { approved, reason: 'because' })).toBe(true)
    expect(session.state.open).toMatchObject([{ callId: 'c', approved, reason: 'because' }])
    expect(await session.call(call, () => undefined)).toMatchObject({ ok: approved })
  })

  test('[ASK-5, ABUSE-94, ABUSE-119] answers no other call with its id, also where it waits for nothing any more', async () => {
    const { session } = await open({ policy: { ask: ['Write'] } }, waits)
    await session.step({ tools: ['Write'] })
    const writing = { id: 'c', tool: 'Write', input: {} }
    const activated = { ...call, id: 'other' }
    for (const each of [call, writing, activated]) await session.preview(each, { asks: true })
    await recordDecision(session, session, activated, { approved: true })
    await session.call(activated)
    await recordDecision(session, session, call, { approved: true })
    expect(await session.call(writing, () => 'ran')).toMatchObject({ ok: false, refusal: { code: 'CALL_DENIED' } })
    await recordDecision(session, session, writing, { approved: true })
    expect(await session.call(writing, () => 'ran')).toMatchObject({ ok: true })
  })

  test('[ASK-2, ABUSE-122, ABUSE-158] is no yes to a folder that has changed since: the call waits again', async () => {
    const { session } = await open({}, waits)
    const before = (await session.preview(call, { asks: true })).waits
    write('plain/scripts/check.sh', 'changed\n')
    expect(await recordDecision(session, session, call, { approved: true })).toBe(true)
    const again = (await session.preview(call, { asks: true })).waits
    expect(again?.id).not.toBe(before!.id)
    expect(await session.call(call, () => undefined)).toMatchObject({
      refusal: { code: 'CONSENT_DENIED', reason: expect.stringContaining('Make the same call again') },
    })
    expect(await recordDecision(session, session, call, { approved: true })).toBe(true)
    expect(await session.call(call, () => undefined)).toMatchObject({ ok: true })
  })
})

test('[GATE-1] names the tools that run elsewhere and may not be called unjudged', async () => {
  const { session } = await open(
    { policy: { deny: ['web_search'], ask: ['shell'], allow: ['Read'] } },
    { consent: () => true },
  )
  await session.step({ tools: ['web_search', 'shell', 'Read'] })
  expect(await session.unjudged(['web_search', 'shell', 'Read'])).toEqual(new Set(['web_search', 'shell']))
})
