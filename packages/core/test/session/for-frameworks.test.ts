import { describe, expect, test } from 'vitest'
import { memorySource, openRepertoire } from '../../src/index.ts'
import { type AdapterSessionOptions, failureText, openAdapterSession } from '../../src/adapter.ts'

const manifest = '---\nname: careful\ndescription: Looks first.\n---\nBody.\n'
const activation = { id: 'c', tool: 'activate_skill', input: { name: 'careful', args: 'now' } }

async function open(
  options: AdapterSessionOptions = {},
  skills: Record<string, Record<string, string>> = { careful: { 'SKILL.md': manifest } },
) {
  const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] })
  return openAdapterSession(repertoire, options)
}

describe('what a session tells frameworks that do part of the work themselves', () => {
  test('[GATE-2, ABUSE-44] returns the real name of a tool that is called in another case, and undefined for an unknown one', async () => {
    const session = await open()
    await session.step({ tools: ['Bash', 'constructor'] })
    const names = ['bash', 'Bash', 'ACTIVATE_SKILL', 'constructor', 'toString', 'activate_s\u212Aill', '']
    expect(names.map((name) => session.toolName(name))).toEqual([
      'Bash',
      'Bash',
      'activate_skill',
      'constructor',
      undefined,
      undefined,
      undefined,
    ])
    const without = await open({}, {})
    await without.step({ tools: ['Bash'] })
    expect(without.toolName('activate_skill')).toBeUndefined()
  })

  test('[GATE-1, OBS-1] returns the refusal of a call before it is made: nothing runs, and nothing is recorded', async () => {
    const events: string[] = []
    const careful = { 'SKILL.md': manifest.replace('---\nBody', 'allowed-tools: Read\n---\nBody') }
    const repertoire = await openRepertoire({
      sources: [memorySource({ layer: 'project', skills: { careful } })],
      audit: { write: ({ type }) => void events.push(type) },
    })
    const session = openAdapterSession(repertoire, { consent: () => true })
    await (await session.step({ tools: ['Read', 'Bash'] })).call(activation, () => undefined)
    const before = [...events]
    const call = (tool: string, input: unknown = {}) => ({ id: 'c', tool, input })
    expect((await session.preview(call('read'))).refusal).toBeUndefined()
    const refusals = await Promise.all(
      [call('Bash'), call('Gone'), call('Read', 'no JSON')].map((each) =>
        session.preview(each).then(({ refusal }) => refusal),
      ),
    )
    expect(refusals.map((each) => each?.refusal.code)).toEqual(['TOOL_NOT_ALLOWED', 'TOOL_UNKNOWN', 'INPUT_INVALID'])
    expect(events).toEqual(before)
    expect(await session.call(call('Bash'), () => undefined)).toEqual(refusals[0])
    await session.end()
    expect((await session.preview(call('Read'))).refusal?.refusal.code).toBe('SESSION_ENDED')
  })

  test('[ASK-3, GATE-7] words a denial exactly as a call does, and changes nothing', async () => {
    const asking = await open()
    const before = asking.save()
    for (const reason of [undefined, '', '  ', 'not on a Friday']) {
      const session = await open({
        consent: ({ id }) => ({ requestId: id, approved: false, reason }),
      })
      const { text } = await session.call(activation, () => undefined)
      expect(asking.deniedText(activation, reason)).toBe(text)
      expect(text).toContain('CONSENT_DENIED')
    }
    expect(asking.deniedText({ ...activation, input: { name: 'none' } })).toContain('SKILL_NOT_FOUND')
    expect(asking.save()).toEqual(before)
  })

  test('[GATE-5, ADPT-4] words whatever a tool throws, and never throws itself', () => {
    const unreadable = Object.defineProperty(new Error('x'), 'message', {
      get() {
        throw new Error('inner')
      },
    })
    const hostile = [unreadable, Object.create(null), { toString: () => ({}) }]
    for (const thrown of hostile) expect(failureText(thrown)).toContain('cannot be shown')
    const plain = [new RangeError('far'), 'text', undefined, Symbol('s'), Object.assign(new Error('x'), { message: 7 })]
    expect(plain.map(failureText)).toEqual(['far', 'text', 'undefined', 'Symbol(s)', '7'])
  })

  test('[ASK-5, ACT-15] keeps a consent request the same whatever order a database gives the keys of its input', async () => {
    const session = await open({ id: 'one' })
    const reordered = { ...activation, input: { args: 'now', name: 'careful' } }
    const changed = { ...activation, input: { args: 'later', name: 'careful' } }
    const ids = []
    for (const call of [activation, reordered, changed])
      ids.push((await session.preview(call, { asks: true })).waits?.id)
    expect(ids[1]).toBe(ids[0])
    expect(ids[2]).not.toBe(ids[0])
  })
})
