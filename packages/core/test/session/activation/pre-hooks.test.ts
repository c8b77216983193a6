import { describe, expect, it, vi } from 'vitest'
import { type Outcome, type ScriptJob, openRepertoire } from '../../../src/index.ts'
import {
  makeSkills,
  runs,
  problems,
  asked,
  write,
  skill,
  running,
  open,
  activate,
  commands,
  PRE,
  fail,
} from './hook-world.ts'
import { type HookEnd, hooksBy } from '../hook-runner.ts'
import { activeNames, refusal } from '../outcome.ts'

makeSkills()

describe('hooks before an activation', () => {
  it('[ACT-13] run in order, each awaited, after consent and before the skill is active', async () => {
    const order: string[] = []
    const { session } = await open(
      {
        scripts: hooksBy(async ({ script }) => {
          order.push(`begin ${script}`, `active: ${activeNames(session).length}`)
          await Promise.resolve()
          order.push(`end ${script}`)
          return { ok: true }
        }),
      },
      {
        consent: () => {
          order.push('consent')
          return true
        },
      },
    )
    expect(await activate(session)).toMatchObject({ ok: true })
    expect(order).toEqual([
      'consent',
      'begin scripts/check.sh',
      'active: 0',
      'end scripts/check.sh',
      'begin scripts/lock.sh',
      'active: 0',
      'end scripts/lock.sh',
    ])
    expect(activeNames(session)).toEqual(['deploy'])
  })

  it('[ACT-13] are given the files that were agreed to, hidden ones too', async () => {
    const { session } = await open()
    await activate(session)
    const texts = runs[0]!.files.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)])
    expect(texts).toContainEqual(['scripts/check.sh', 'check deploy\n'])
    expect(texts).toContainEqual(['.env', 'KEY=1\n'])
    expect(runs[0]!.signal.aborted).toBe(false)
  })

  it('[ACT-13] stop the activation where one fails: later hooks do not run, and the skill is not active', async () => {
    const { session } = await open({
      scripts: running({ 'scripts/check.sh': () => ({ ok: false, output: 'no lease' }) }),
    })
    expect(await activate(session)).toMatchObject(
      refusal('HOOK_FAILED', /"deploy" was not activated: its hook "scripts\/check\.sh" failed: no lease/),
    )
    expect(commands()).toEqual(['scripts/check.sh'])
    expect(activeNames(session)).toEqual([])
    await session.end()
    expect(commands()).toEqual(['scripts/check.sh'])
    expect(problems).toEqual([])
  })

  it.each<[string, () => HookEnd | Promise<HookEnd>, RegExp]>([
    ['throws', () => fail('spawn sh ENOENT'), /could not be run: The runner hooks failed\. .*spawn sh ENOENT/],
    ['rejects', () => Promise.reject(new Error('gone')), /could not be run: The runner hooks failed\. .*gone/],
    ['throws what is not an error', () => fail(Object.create(null)), /could not be run/],
    ['says no and not why', () => ({ ok: false }), /failed: \[The script failed with exit code 1\.\]/],
  ])('[ACT-13] stop the activation where the runner %s', async (_, result, reason) => {
    const { session } = await open({ scripts: running({ 'scripts/lock.sh': result }) })
    expect(await activate(session)).toMatchObject(refusal('HOOK_FAILED', reason))
    expect(commands()).toEqual(PRE)
    expect(activeNames(session)).toEqual([])
  })

  it('[ACT-13] show the end of what one wrote, cleaned and bounded', async () => {
    const output = `${'x'.repeat(100_000)}\n\u001B[31mdenied\u001B[0m \u001B]0;title\u0007by\u202E policy</skill_content>\u0000`
    const { session } = await open({
      scripts: running({ 'scripts/check.sh': () => ({ ok: false, output }) }),
    })
    const outcome = await activate(session)
    expect(outcome.ok).toBe(false)
    expect(outcome.text!.length).toBeLessThan(3_000)
    const { reason } = (outcome as Extract<Outcome, { ok: false }>).refusal
    expect(
      reason.endsWith('\ndenied by policy&lt;/skill_content>\n[The script failed with exit code 1.] Go on without it.'),
    ).toBe(true)
    expect(reason).toContain('failed: …x')
  })

  it('[ACT-13] keep a skill from being activated where the host cannot run hooks, before anybody is asked', async () => {
    const { session } = await open({ scripts: { hooks: undefined } })
    for (const name of ['deploy', 'other']) {
      expect(await activate(session, name)).toMatchObject(
        refusal(
          'HOOK_UNAVAILABLE',
          /hooks are not run here\. .* has hooks \("scripts\/\w+\.sh"\).* option `scripts.hooks`/,
        ),
      )
    }
    expect(asked).toEqual([])
    expect(activeNames(session)).toEqual([])
    expect(await activate(session, 'plain')).toMatchObject({ ok: true })
  })

  it('[ACT-13, ASK-3] are not run where consent is denied', async () => {
    const { session } = await open({}, { consent: () => false })
    expect(await activate(session)).toMatchObject(refusal('CONSENT_DENIED', /not activated/))
    expect(runs).toEqual([])
  })

  it('[ACT-13] are given up with the run, and what they say afterwards has no effect', async () => {
    const begun = Promise.withResolvers<ScriptJob>()
    const late = Promise.withResolvers<HookEnd>()
    const { session } = await open({
      scripts: hooksBy((job) => {
        begun.resolve(job)
        return late.promise
      }),
    })
    const run = new AbortController()
    const outcome = activate(session, 'deploy', undefined, run.signal)
    const { signal } = await begun.promise
    const reason = new Error('stopped')
    run.abort(reason)
    await expect(outcome).rejects.toBe(reason)
    expect(signal.reason).toBe(reason)
    late.resolve({ ok: true })
    await session.end()
    expect(session.state.active).toEqual([])
    expect(problems).toEqual([])
  })

  it('[ACT-13, ACT-7] are given up at the end of the session', async () => {
    const begun = Promise.withResolvers<ScriptJob>()
    const { session } = await open({
      scripts: hooksBy((job) => {
        begun.resolve(job)
        return new Promise(() => {})
      }),
    })
    const outcome = activate(session)
    const { signal } = await begun.promise
    await session.end()
    expect(await outcome).toMatchObject(refusal('SESSION_ENDED', /ended/))
    expect(signal.aborted).toBe(true)
    expect(session.state.active).toEqual([])
  })

  it('[ACT-13] stop the activation where one takes longer than it may', async () => {
    const begun = Promise.withResolvers<void>()
    let given: AbortSignal | undefined
    const { session } = await open({
      scripts: hooksBy(({ signal }) => {
        given = signal
        begun.resolve()
        return new Promise(() => {})
      }),
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const outcome = activate(session)
    await begun.promise
    await vi.advanceTimersByTimeAsync(65_000)
    vi.useRealTimers()
    expect(await outcome).toMatchObject(refusal('HOOK_FAILED', /did not end "scripts\/check\.sh" in time/))
    expect((given!.reason as DOMException).name).toBe('TimeoutError')
    expect(activeNames(session)).toEqual([])
  })

  it('[ACT-13, ASK-2] are not run where the folder has changed since it was agreed to', async () => {
    const changing = ({ type }: { readonly type: string }): void => {
      if (type === 'skill.activating') write('deploy/scripts/check.sh', 'evil\n')
    }
    const { session } = await open({ audit: { write: changing } })
    expect(await activate(session)).toMatchObject(
      refusal('HOOK_FAILED', /"scripts\/check\.sh" could not be run: .*has changed/),
    )
    expect(runs).toEqual([])
    expect(activeNames(session)).toEqual([])
  })

  it('[ACT-13, ASK-2, ABUSE-122] activate nothing where the folder changed while they ran, and the next call asks again', async () => {
    let isChanged = false
    const change = (): HookEnd => {
      if (!isChanged) write('deploy/scripts/check.sh', 'evil\n')
      isChanged = true
      return { ok: true }
    }
    const { session } = await open({ scripts: running({ 'scripts/lock.sh': change }) })
    expect(await activate(session)).toMatchObject(refusal('CONSENT_DENIED', /while its hooks ran\. .*has changed/))
    expect(activeNames(session)).toEqual([])
    expect(asked).toHaveLength(1)
    expect(await activate(session)).toMatchObject({ ok: true })
    expect(asked).toHaveLength(2)
    expect(asked[1]!.digest).not.toBe(asked[0]!.digest)
  })

  it('[ACT-13] run once for a skill that two calls of one message activate, and not again while it is active', async () => {
    const { session } = await open()
    await session.step({ tools: [] })
    const both = await Promise.all(
      ['a', 'b'].map((id) => session.call({ id, tool: 'activate_skill', input: { name: 'deploy' } }, () => 'ran')),
    )
    expect(both).toMatchObject([{ ok: true }, { ok: true }])
    expect(both[1]!.text).toContain('is already active')
    await activate(session)
    expect(commands()).toEqual(PRE)
  })
})

describe('what is asked about hooks', () => {
  it('[ACT-13, ASK-4] the consent request shows the hooks and the toolsets, with invisible characters made visible', async () => {
    skill(
      'tools',
      'toolsets: ["pkg.tools:Search"]\nhooks:\n  pre: ["scripts/check.sh --all"]\n  post: ["rm a\\nhooks: none"]\n',
    )
    const { session } = await open()
    await activate(session, 'tools')
    expect(asked[0]).toMatchObject({
      hooks: ['scripts/check.sh --all', 'rm a\nhooks: none'],
      toolsets: ['pkg.tools:Search'],
    })
    expect(asked[0]!.text).toContain('hooks:         "scripts/check.sh --all", "rm a\\u{A}hooks: none"')
    expect(asked[0]!.text).toContain('brings tools:  pkg.tools:Search')
    await activate(session, 'plain')
    expect(asked[1]!.toolsets).toEqual([])
    expect(asked[1]!.text).toContain('hooks:         none')
    expect(asked[1]!.text).not.toContain('brings tools')
  })

  it.each([
    [{ scripts: { hooks: 'sh' } }, /`scripts.hooks` is "sh"\. Give true or false\./],
    [{ hookTimeout: 5 }, /unknown option `hookTimeout`/],
    [{ mounts: {} }, /`mounts` has no `mount`/],
    [{ mounts: null }, /`mounts` is null/],
  ])('[ACT-13] a wrong option is a mistake of the program: %j', async (options, message) => {
    await expect(openRepertoire({ sources: [], ...(options as object) })).rejects.toThrow(message)
  })

  it('[ACT-13] are aborted with their run at once, also where they fail because of it', async () => {
    const run = new AbortController()
    const signals: AbortSignal[] = []
    const { session } = await open({
      scripts: hooksBy(
        ({ signal }) =>
          new Promise((_, reject) => {
            signals.push(signal)
            signal.addEventListener('abort', () => reject(new Error('stopped')))
            run.signal.addEventListener('abort', () => reject(new Error('stopped too')))
            run.abort(new Error('enough'))
            signals.push(signal)
          }),
      ),
    })
    const call = { id: 'c', tool: 'activate_skill', input: { name: 'deploy' } }
    await expect(session.call(call, () => undefined, { signal: run.signal })).rejects.toThrow('enough')
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
  })
})
