import { describe, expect, it } from 'vitest'
import { foreign } from '@repertoire/test-servers/properties'
import { adapterSession, openAdapterSession, type AdapterSession } from '../../../src/adapter.ts'
import type { ForkRunner, Outcome, SavedSession } from '../../../src/index.ts'
import { makeSkills, open, activate, use, runner } from './fork-world.ts'
import { activeNames, code } from '../outcome.ts'

makeSkills()

describe('forks of forks', () => {
  const nesting = (deeper: readonly string[]): ForkRunner => {
    const [next, ...rest] = deeper
    return async ({ session: child }) => {
      if (next === undefined) return activeNames(child).join(' ')
      const outcome = await activate(child, next, nesting(rest))
      return outcome.ok
        ? (outcome.value as { result: string }).result
        : `${outcome.refusal.code}: ${outcome.refusal.reason}`
    }
  }

  it('[ACT-10, ACT-5] are told apart whatever ids their calls have, so that none takes away what another one uses', async () => {
    const { session } = await open()
    const ids: string[] = []
    const call = (of: AdapterSession, id: string, name: string, fork: ForkRunner): Promise<Outcome> =>
      of.call({ id, tool: 'activate_skill', input: { name } }, () => '', { fork })
    const noting: ForkRunner = async ({ session: child }) => {
      ids.push(child.id)
      return 'done'
    }
    await call(adapterSession(session), 'a', 'one', async ({ session: child }) => {
      await call(adapterSession(child), 'b', 'two', noting)
      return 'done'
    })
    for (const id of ['a/b', 'a%2Fb', 'a']) await call(adapterSession(session), id, 'two', noting)
    expect(ids).toEqual(['task/a/b', 'task/a%2Fb', 'task/a%252Fb', 'task/a'])
  })

  it('[ACT-10, ABUSE-45] nest three deep and not four, also where the innermost session was saved', async () => {
    const { session } = await open()
    // A skill that is only inherited is no fork.
    await activate(session, 'free')
    expect(await activate(session, 'one', nesting(['two', 'three']))).toMatchObject({
      value: { result: 'free one two three' },
    })
    expect(await activate(session, 'one', nesting(['two', 'three', 'four']))).toMatchObject({
      value: {
        result:
          'FORK_TOO_DEEP: The skill "four" was not run: it needs a sub-agent, and these nest at most 3 deep. Do its work here, without it.',
      },
    })
  })

  it('[ACT-10] a skill that activates itself again is told that it is active already', async () => {
    const { session } = await open()
    const { fork } = runner(async ({ session: child }) => (await activate(child, 'one', runner().fork)).text)
    const { text } = await activate(session, 'one', fork)
    expect(text).toContain('already active. Follow its instructions')
    // It cannot.
    expect(text).not.toContain('deactivate it')
  })

  it('[ACT-10] a skill of the task above is named as such, since its instructions are not in this conversation', async () => {
    const { session } = await open()
    await activate(session, 'free')
    const { fork } = runner(async ({ session: child }) => (await activate(child, 'free')).text)
    const { text } = await activate(session, 'one', fork)
    expect(text).toContain('already active. It belongs to the task that this work is a part of')
    expect(text).not.toMatch(/stand above|deactivate it|Body of free/)
  })

  it.each(['inherited', 'forked'])('[ACT-15] refuses a state whose %s is not true', async (flag) => {
    const { session, repertoire } = await open()
    await activate(session, 'careful')
    const { state } = session.save()
    for (const value of [false, 'true', 1, null]) {
      const active = state.active.map((each) => ({ ...each, [flag]: value }))
      const saved = foreign({ state: { ...state, active }, seal: '' })
      expect(() => openAdapterSession(repertoire, { saved })).toThrow(`state.active[0].${flag} must be true or absent`)
    }
  })

  it('[ACT-10, ACT-15] a saved session of a fork is still a fork’s when it goes on', async () => {
    const { session, repertoire } = await open()
    await activate(session, 'careful')
    const { fork } = runner(async ({ session: child }) => {
      const saved = JSON.parse(JSON.stringify(child.save())) as SavedSession
      const resumed = openAdapterSession(repertoire, { saved })
      return [
        activeNames(resumed).join(' '),
        await use(resumed, 'Edit', { file_path: 'a' }),
        code(await resumed.call({ id: 'd', tool: 'deactivate_skill', input: {} }, () => '')),
        JSON.stringify([
          (await resumed.preview({ id: 'q', tool: 'activate_skill', input: { name: 'free' } }, { asks: true })).waits,
        ]),
        code(await resumed.activate('secret')),
      ].join(' ')
    })
    expect(await activate(session, 'research', fork)).toMatchObject({
      value: { result: 'careful research TOOL_NOT_ALLOWED SKILL_PINNED [null] SKILL_NOT_INVOCABLE' },
    })
  })
})
