import { afterEach, describe, expect, it, vi } from 'vitest'
import type { AuditEvent, ConsentRequest, SkillFolder, SkillSource } from '../../../src/index.ts'
import { messageCall } from '../../../src/adapter.ts'
import { directorySource } from '../../../src/node/index.ts'
import { activate, asked, base, call, makeSkills, open, skill, write } from '../activation/hook-world.ts'
import { mapped } from '../../mapped-source.ts'
import { hooksBy } from '../hook-runner.ts'

makeSkills()

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Says yes, after the folder has changed the given number of times. */
const changing = (times: number, answer: () => unknown = () => Promise.resolve(true)) => {
  let done = 0
  return (request: ConsentRequest): boolean => {
    asked.push(request)
    if (done++ < times) write('plain/scripts/check.sh', `changed ${done}\n`)
    return answer() as boolean
  }
}

describe('a folder that changes while a handler waits for its answer', () => {
  it.each([
    ['with a promise', () => Promise.resolve(true)],
    ['at once', () => true],
  ])('[ASK-2, ABUSE-122] is asked about again as it is now, where the handler answers %s', async (_when, answer) => {
    const { session } = await open({}, { consent: changing(1, answer) })
    expect(await activate(session, 'plain')).toMatchObject({ ok: true })
    expect(asked.map(({ skill: name }) => name)).toEqual(['plain', 'plain'])
    expect(new Set(asked.map(({ digest }) => digest)).size).toBe(2)
    expect(new Set(asked.map(({ id }) => id)).size).toBe(2)
    expect(session.state.active).toMatchObject([{ name: 'plain', digest: asked[1]!.digest }])
  })

  it('[ASK-2, OBS-8] is on record with both questions and their answers', async () => {
    const events: AuditEvent[] = []
    const audit = { write: (event: AuditEvent) => void events.push(event) }
    const { session } = await open({ audit }, { consent: changing(1) })
    await activate(session, 'plain')
    const questions = events.flatMap(({ consent }) => consent ?? [])
    expect(questions.map(({ request, answer }) => [request, answer])).toEqual(
      asked.flatMap(({ id }) => [
        [id, undefined],
        [id, 'yes'],
      ]),
    )
  })

  it('[ASK-2, ABUSE-122] is not activated where the new content is not agreed to', async () => {
    const consent = changing(1, () => Promise.resolve(asked.length === 1))
    const { session } = await open({}, { consent })
    expect(await activate(session, 'plain')).toMatchObject({ ok: false, refusal: { code: 'CONSENT_DENIED' } })
    expect(asked).toHaveLength(2)
    expect(session.state.active).toEqual([])
  })

  it.each([
    ['while the second answer is waited for', true],
    ['after the call', false],
  ])(
    '[ASK-2, ASK-8, ABUSE-122] is not activated by a yes to what it held first, and holds again %s',
    async (_when, meanwhile) => {
      const consent = (request: ConsentRequest): boolean => {
        if (asked.push(request) === 1) write('plain/scripts/check.sh', 'changed\n')
        else if (meanwhile) skill('plain', '')
        return asked.length === 1
      }
      const { session } = await open({}, { consent })
      const made = { id: 'made', tool: 'activate_skill', input: { name: 'plain' } }
      expect(await session.call(made)).toMatchObject({ ok: false, refusal: { code: 'CONSENT_DENIED' } })
      expect(asked).toHaveLength(2)
      skill('plain', '')
      expect(await session.call(made)).toMatchObject({ ok: false, refusal: { code: 'CONSENT_DENIED' } })
      expect(asked).toHaveLength(3)
      expect(session.activeSkills).toEqual([])
    },
  )

  it('[ASK-2, ABUSE-122] is asked about three times at most, and is not activated then', async () => {
    const { session } = await open({}, { consent: changing(Infinity) })
    expect(await activate(session, 'plain')).toMatchObject({
      ok: false,
      refusal: { code: 'CONSENT_DENIED', reason: expect.stringContaining('as it was before it changed') },
    })
    expect(asked).toHaveLength(3)
    expect(session.state.active).toEqual([])
    // Each yes was for what is gone.
    expect(session.state.granted).toEqual([])
  })

  it('[ASK-2, ABUSE-122] is refused if it is gone or broken after the answer', async () => {
    const consent = (): Promise<boolean> => {
      write('plain/SKILL.md', '---\nname: plain\n')
      return Promise.resolve(true)
    }
    const { session } = await open({}, { consent })
    expect(await activate(session, 'plain')).toMatchObject({ ok: false, refusal: { code: 'SKILL_BROKEN' } })
    expect(session.state.active).toEqual([])
  })

  it('[ASK-2, ABUSE-122] runs no hook of the new content before somebody agreed to it', async () => {
    skill('plain', 'hooks:\n  pre: [scripts/check.sh]\n')
    const consent = changing(1, () => Promise.resolve(asked.length === 1))
    const ran: string[] = []
    const { session } = await open({ scripts: hooksBy(({ script }) => ({ ok: ran.push(script) > 0 })) }, { consent })
    expect(await activate(session, 'plain')).toMatchObject({ ok: false, refusal: { code: 'CONSENT_DENIED' } })
    expect(ran).toEqual([])
  })

  it('[ASK-2, ABUSE-122] is not activated by an answer that was recorded before it changed, and is asked about by the next call', async () => {
    const { session } = await open({}, { consent: undefined })
    const first = { id: 'first', tool: 'activate_skill', input: { name: 'plain' } }
    const request = (await session.preview(first, { asks: true })).waits
    session.answer({ requestId: request!.id, approved: true })
    write('plain/scripts/check.sh', 'changed\n')
    expect(await session.call(first, () => 'ran')).toMatchObject({
      ok: false,
      refusal: {
        code: 'CONSENT_DENIED',
        reason: expect.stringMatching(/before it changed\. .*Make the same call again/),
      },
    })
    expect(session.state.active).toEqual([])
    const second = { ...first, id: 'second' }
    const again = (await session.preview(second, { asks: true })).waits
    expect(again!.digest).not.toBe(request!.digest)
    session.answer({ requestId: again!.id, approved: true })
    expect(await session.call(second, () => 'ran')).toMatchObject({ ok: true })
  })

  it('[ASK-2, ASK-8, ABUSE-94] is not activated by an answer to what it held first, after a no to what it held then', async () => {
    const { session } = await open({}, { consent: undefined })
    const made = { id: 'made', tool: 'activate_skill', input: { name: 'plain' } }
    for (const approved of [true, false]) {
      const { waits } = await session.preview(made, { asks: true })
      session.answer({ requestId: waits!.id, approved })
      if (approved) write('plain/scripts/check.sh', 'changed\n')
    }
    skill('plain', '')
    for (let times = 0; times < 2; times++)
      expect(await session.call(made)).toMatchObject({ ok: false, refusal: { code: 'CONSENT_DENIED' } })
    expect(session.state).toMatchObject({ active: [], open: [] })
  })

  it('[ASK-2, ABUSE-122] is asked about again by `session.ask`, for a call and for what a person invokes', async () => {
    const { session } = await open({}, { consent: undefined })
    const made = { id: 'first', tool: 'activate_skill', input: { name: 'plain' } }
    await session.ask(() => session.preview(made), changing(1))
    expect(new Set(asked.map(({ id }) => id)).size).toBe(2)
    expect(await session.call(made, () => 'ran')).toMatchObject({ ok: true })
    expect(session.state.active).toMatchObject([{ name: 'plain', digest: asked[1]!.digest }])

    const before = asked.length
    const consent = (request: ConsentRequest): boolean => {
      if (asked.push(request) === before + 1) write('deploy/more.md', 'changed\n')
      return true
    }
    await session.ask(() => session.preview(messageCall('message', '/deploy')), consent)
    const digests = asked.slice(before).map(({ digest }) => digest)
    expect([digests.length, new Set(digests).size]).toEqual([2, 2])
  })

  it('[ASK-2, ABUSE-122] is asked about by `session.ask` three times at most, and once after a no', async () => {
    const { session } = await open({}, { consent: undefined })
    const made = { id: 'first', tool: 'activate_skill', input: { name: 'plain' } }
    await session.ask(() => session.preview(made), changing(Infinity))
    expect(asked).toHaveLength(3)
    expect(await session.call(made, () => 'ran')).toMatchObject({ ok: false, refusal: { code: 'CONSENT_DENIED' } })
    asked.length = 0
    const other = { ...made, id: 'second' }
    await session.ask(
      () => session.preview(other),
      changing(Infinity, () => false),
    )
    expect(asked).toHaveLength(1)
    expect(await session.call(other, () => 'ran')).toMatchObject({ ok: false, refusal: { code: 'CONSENT_DENIED' } })
  })

  it('[ASK-2, NFR-2] is read once more after an answer, and once where nobody is asked', async () => {
    const { source, reads } = counted()
    const { session } = await open({ sources: [source] }, { consent: changing(0, () => true) })
    expect(await activate(session, 'plain')).toMatchObject({ ok: true })
    expect(reads()).toBe(2)
    await call(session, 'deactivate_skill', {})
    expect(await activate(session, 'plain')).toMatchObject({ ok: true })
    expect(asked).toHaveLength(1)
    expect(reads()).toBe(3)
  })

  it('[ASK-2, ABUSE-122] is read again after every yes, also one that comes at once about files that are old', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
    for (const answer of [() => true, () => Promise.resolve(true)]) {
      const { source, reads } = counted()
      const { session } = await open({ sources: [source] }, { consent: changing(0, answer) })
      expect(await activate(session, 'plain')).toMatchObject({ ok: true })
      expect(reads()).toBe(2)
    }
  })
})

/** The skills, with the number of times that a folder was read. */
function counted(): { readonly source: SkillSource; readonly reads: () => number } {
  const folders = directorySource({ root: base, layer: 'project' })
  let count = 0
  const source: SkillSource = {
    ...folders,
    scan: () =>
      mapped(folders, (found) => {
        const list: SkillFolder['list'] = () => {
          count++
          return found.folder.list()
        }
        return { ...found, folder: { ...found.folder, list } }
      }),
  }
  return { source, reads: () => count }
}
