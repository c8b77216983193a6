import { describe, expect, it, vi } from 'vitest'
import { adapterSession } from '../../../src/adapter.ts'
import {
  makeSkills,
  runs,
  problems,
  write,
  running,
  open,
  call,
  activate,
  deactivate,
  commands,
  PRE,
  POST,
  fail,
} from './hook-world.ts'
import { hooksBy } from '../hook-runner.ts'
import { activeNames } from '../outcome.ts'

makeSkills()

describe('hooks after a deactivation', () => {
  it('[ACT-13] run in order when the model leaves the skill, and it is no longer active by then', async () => {
    const seen: string[] = []
    const { session } = await open({
      scripts: hooksBy((job) => {
        runs.push(job)
        if (POST.includes(job.script)) seen.push(...activeNames(session))
        return { ok: true }
      }),
    })
    await activate(session, 'deploy', 'prod')
    expect(await deactivate(session)).toMatchObject({ ok: true })
    expect(commands()).toEqual([...PRE, ...POST])
    expect(seen).toEqual([])
  })

  it('[ACT-13] run again each time that the skill is activated again, and not at the end for one that was left', async () => {
    const { session } = await open()
    for (let round = 0; round < 2; round++) {
      await activate(session)
      await deactivate(session)
    }
    await session.end()
    expect(commands()).toEqual([...PRE, ...POST, ...PRE, ...POST])
  })

  it('[ACT-13] run once where two calls of one message leave the skill', async () => {
    const { session } = await open()
    await activate(session)
    await session.step({ tools: [] })
    await Promise.all(['a', 'b'].map((id) => session.call({ id, tool: 'deactivate_skill', input: {} }, () => 'ran')))
    expect(commands()).toEqual([...PRE, ...POST])
  })

  it('[ACT-13, ACT-7] run at the end of the task, those of the skill that was activated last first', async () => {
    const { session } = await open()
    for (const name of ['deploy', 'other', 'plain', 'third']) await activate(session, name)
    runs.length = 0
    await session.end()
    expect(commands()).toEqual(['scripts/third.sh', 'scripts/other.sh', ...POST])
    await session.end()
    expect(runs).toHaveLength(4)
  })

  it.each(['throws', 'is aborted'])('[ACT-13, ACT-7] run where the task %s', async (how) => {
    const { repertoire } = await open()
    const stop = new AbortController()
    await expect(
      repertoire.runTask({ consent: () => true }, async (session) => {
        await activate(adapterSession(session), 'other')
        if (how === 'throws') fail('crash')
        stop.abort(new Error('crash'))
        await activate(adapterSession(session), 'plain', undefined, stop.signal)
      }),
    ).rejects.toThrow('crash')
    expect(commands()).toEqual(['scripts/other.sh'])
  })

  it('[ACT-13] are each tried, and one that fails is reported and keeps nothing back', async () => {
    const { session } = await open({
      scripts: running({
        'scripts/unlock.sh': () => ({ ok: false, output: 'locked by another' }),
        'scripts/other.sh': () => fail('no shell'),
      }),
    })
    await activate(session)
    await activate(session, 'other')
    await session.end()
    expect(commands().slice(2)).toEqual(['scripts/other.sh', ...POST])
    expect(session.state).toMatchObject({ active: [], ended: true })
    const failed = problems.filter(({ code }) => code === 'POST_HOOK_FAILED')
    expect(failed).toMatchObject([
      {
        code: 'POST_HOOK_FAILED',
        skill: 'other',
        message: expect.stringMatching(/other\.sh" could not be run: The runner hooks failed\. .*no shell/),
      },
      {
        code: 'POST_HOOK_FAILED',
        skill: 'deploy',
        message: expect.stringMatching(/unlock\.sh" failed: locked by another/),
      },
    ])
    expect(failed[0]!.cause).toBeInstanceOf(Error)
  })

  it('[ACT-13] let the model leave the skill also where one fails, and where a listener for problems throws', async () => {
    const { session } = await open(
      { scripts: running({ 'scripts/other.sh': () => fail('no shell') }) },
      { onProblem: () => fail('broken listener') },
    )
    await activate(session, 'other')
    expect(await deactivate(session)).toMatchObject({ ok: true, value: { name: 'other', active: false } })
    expect(activeNames(session)).toEqual([])
  })

  it('[ACT-13] go on where the run that deactivates the skill is aborted, since they clean up', async () => {
    const stop = new AbortController()
    const { session } = await open({
      scripts: running({
        'scripts/unlock.sh': ({ signal }) => {
          stop.abort(new Error('stopped'))
          return { ok: !signal.aborted }
        },
      }),
    })
    await activate(session)
    await call(session, 'deactivate_skill', {}, stop.signal).catch(() => undefined)
    // Nobody waits for them any more but what comes next.
    expect(await deactivate(session)).toMatchObject({ ok: false })
    expect(commands().slice(2)).toEqual(POST)
    expect(problems).toEqual([])
  })

  it('[ACT-13] are given up when their time is over, so that the task ends', async () => {
    const { session } = await open({
      scripts: running({ 'scripts/unlock.sh': () => new Promise(() => {}) }),
    })
    await activate(session)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const ending = session.end()
    await vi.advanceTimersByTimeAsync(65_000)
    vi.useRealTimers()
    await ending
    expect(commands().slice(2)).toEqual(POST)
    expect(problems).toMatchObject([
      { code: 'POST_HOOK_FAILED', message: expect.stringMatching(/did not end "scripts\/unlock\.sh" in time/) },
    ])
  })

  it('[ACT-13, ASK-2] are reported and not run where the folder is not what was agreed to any more', async () => {
    const { session } = await open()
    await activate(session)
    write('deploy/scripts/unlock.sh', 'evil\n')
    await session.end()
    expect(commands()).toEqual(PRE)
    expect(problems).toMatchObject(
      ['unlock', 'tidy'].map((name) => ({
        code: 'POST_HOOK_FAILED',
        skill: 'deploy',
        message: expect.stringMatching(`its hook "scripts/${name}\\.sh" could not be run: .*changed`) as string,
      })),
    )
  })

  it('[ACT-13, ACT-15] run where the session goes on elsewhere, by what was agreed to', async () => {
    const first = await open()
    await activate(first.session, 'deploy', 'prod')
    const saved = structuredClone(first.session.save())
    runs.length = 0
    const second = await open({}, { saved })
    await second.session.end()
    expect(commands()).toEqual(POST)
    const without = await open({ scripts: { hooks: undefined } }, { saved })
    await without.session.end()
    expect(without.session.state.ended).toBe(true)
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/unlock\.sh" was not run: `openRepertoire` has no option `scripts.hooks`/),
      expect.stringMatching(/tidy\.sh" was not run/),
    ])
  })
})
