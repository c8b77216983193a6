import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { directorySource } from '../../../src/node/index.ts'
import { openRepertoire, type Repertoire } from '../../../src/repertoire.ts'
import type { RepertoireOptions, SessionOptions } from '../../../src/repertoire-options.ts'
import type { Session } from '../../../src/session/session.ts'
import type { ConsentRequest } from '../../../src/ports/consent.ts'
import type { HookResult, HookRun, HookRunner } from '../../../src/ports/hook.ts'
import type { Outcome } from '../../../src/ports/outcome.ts'
import type { SessionProblem } from '../../../src/ports/problem.ts'

let base: string
let runs: HookRun[]
let problems: SessionProblem[]
let asked: ConsentRequest[]

const write = (path: string, text: string): void => {
  const file = join(base, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
const skill = (name: string, hooks: string): void => {
  write(`${name}/SKILL.md`, `---\nname: ${name}\ndescription: d\n${hooks}---\nBody of ${name}.\n`)
  write(`${name}/scripts/check.sh`, `check ${name}\n`)
}

beforeEach(() => {
  base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-hooks-'))
  runs = []
  problems = []
  asked = []
  skill('deploy', 'hooks:\n  pre: [scripts/check.sh, scripts/lock.sh]\n  post: [scripts/unlock.sh, scripts/tidy.sh]\n')
  skill('other', 'hooks:\n  post: [scripts/other.sh]\n')
  skill('third', 'hooks:\n  post: [scripts/third.sh]\n')
  skill('plain', '')
  write('deploy/.env', 'KEY=1\n')
})

afterEach(() => rmSync(base, { recursive: true, force: true }))

/** Runs hooks by their commands; what is not named succeeds. */
const running =
  (results: Readonly<Record<string, (run: HookRun) => unknown>> = {}): HookRunner =>
  (run) => {
    runs.push(run)
    return (results[run.command]?.(run) ?? { ok: true }) as HookResult
  }

async function open(
  options: Partial<RepertoireOptions> = {},
  session: SessionOptions = {},
): Promise<{ repertoire: Repertoire; session: Session }> {
  const repertoire = await openRepertoire({
    sources: [directorySource({ root: base, layer: 'project' })],
    hooks: running(),
    ...options,
  })
  const consent = (request: ConsentRequest): boolean => {
    asked.push(request)
    return true
  }
  const onProblem = (problem: SessionProblem): void => void problems.push(problem)
  return { repertoire, session: repertoire.openSession({ id: 'task', consent, onProblem, ...session }) }
}

let calls = 0
const call = (session: Session, tool: string, input: unknown, signal?: AbortSignal): Promise<Outcome> => {
  session.beginStep([])
  return session.call({ id: `call-${calls++}`, tool, input }, () => 'ran', { signal })
}
const activate = (session: Session, name = 'deploy', args?: string, signal?: AbortSignal) =>
  call(session, 'activate_skill', { name, ...(args !== undefined && { args }) }, signal)
const deactivate = (session: Session) => call(session, 'deactivate_skill', {})
const active = (session: Session) => session.state.active.map(({ name }) => name)
const commands = () => runs.map(({ phase, command }) => `${phase} ${command}`)
const refusal = (code: string, reason: RegExp) => ({
  ok: false,
  refusal: { code, reason: expect.stringMatching(reason) as string },
})
const PRE = ['pre scripts/check.sh', 'pre scripts/lock.sh']
const POST = ['post scripts/unlock.sh', 'post scripts/tidy.sh']

describe('hooks before an activation', () => {
  it('[ACT-13] run in order, each awaited, after consent and before the skill is active', async () => {
    const order: string[] = []
    const { session } = await open(
      {
        hooks: async ({ command }) => {
          order.push(`begin ${command}`, `active: ${active(session).length}`)
          await Promise.resolve()
          order.push(`end ${command}`)
          return { ok: true }
        },
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
    expect(active(session)).toEqual(['deploy'])
  })

  it('[ACT-13] are told of the skill, the folder that was agreed to, the arguments and the session', async () => {
    const { session } = await open()
    await activate(session, 'deploy', 'to prod')
    expect(runs[0]).toMatchObject({
      phase: 'pre',
      command: 'scripts/check.sh',
      skill: 'deploy',
      location: join(base, 'deploy'),
      digest: asked[0]!.digest,
      args: 'to prod',
      session: 'task',
    })
    expect(runs[0]!.signal.aborted).toBe(false)
    expect(new TextDecoder().decode(await runs[0]!.read('scripts/check.sh'))).toBe('check deploy\n')
    // Hidden ones too: a script may use them, and they were agreed to.
    expect(new TextDecoder().decode(await runs[0]!.read('.env'))).toBe('KEY=1\n')
  })

  it('[ACT-13] stop the activation where one says no: the ones behind it are not run, and nothing is active', async () => {
    const { session } = await open({
      hooks: running({ 'scripts/check.sh': () => ({ ok: false, output: 'no lease' }) }),
    })
    expect(await activate(session)).toMatchObject(
      refusal('HOOK_FAILED', /"deploy" was not activated: its hook "scripts\/check\.sh" failed: no lease/),
    )
    expect(commands()).toEqual(['pre scripts/check.sh'])
    expect(active(session)).toEqual([])
    await session.end()
    expect(commands()).toEqual(['pre scripts/check.sh'])
    expect(problems).toEqual([])
  })

  it.each<[string, () => unknown, RegExp]>([
    ['throws', () => fail('spawn sh ENOENT'), /could not be run: spawn sh ENOENT/],
    ['rejects', () => Promise.reject(new Error('gone')), /could not be run: gone/],
    ['throws what is no error', () => fail(Object.create(null)), /could not be run/],
    ['says nothing', () => 'fine', /did not say whether it succeeded/],
    ['says yes in other words', () => ({ ok: 'yes' }), /did not say whether it succeeded/],
    ['gives a list', () => [true], /did not say whether it succeeded/],
    ['says no and not why', () => ({ ok: false, output: 7 }), /failed, and said nothing/],
  ])('[ACT-13] stop the activation where the runner %s', async (_, result, reason) => {
    const { session } = await open({ hooks: running({ 'scripts/lock.sh': result }) })
    expect(await activate(session)).toMatchObject(refusal('HOOK_FAILED', reason))
    expect(commands()).toEqual(PRE)
    expect(active(session)).toEqual([])
  })

  it('[ACT-13] show the end of what one wrote, cleaned and bounded', async () => {
    const output = `${'x'.repeat(100_000)}\n\u001B[31mdenied\u001B[0m \u001B]0;title\u0007by\u202E policy</skill_content>\u0000`
    const { session } = await open({ hooks: running({ 'scripts/check.sh': () => ({ ok: false, output }) }) })
    const outcome = await activate(session)
    expect(outcome.ok).toBe(false)
    expect(outcome.text!.length).toBeLessThan(3_000)
    const { reason } = (outcome as Extract<Outcome, { ok: false }>).refusal
    expect(reason.endsWith('\ndenied by policy&lt;/skill_content>')).toBe(true)
    expect(reason).toContain('failed: …x')
  })

  it('[ACT-13] keep a skill from being active where nothing runs them, and nobody is asked in vain', async () => {
    const { session } = await open({ hooks: undefined as unknown as HookRunner })
    for (const name of ['deploy', 'other']) {
      expect(await activate(session, name)).toMatchObject(
        refusal('HOOK_UNAVAILABLE', /has hooks \("scripts\/\w+\.sh"\).* option `hooks`/),
      )
    }
    expect(asked).toEqual([])
    expect(active(session)).toEqual([])
    expect(await activate(session, 'plain')).toMatchObject({ ok: true })
  })

  it('[ACT-13, ASK-3] are not run where consent is denied', async () => {
    const { session } = await open({}, { consent: () => false })
    expect(await activate(session)).toMatchObject(refusal('CONSENT_DENIED', /not activated/))
    expect(runs).toEqual([])
  })

  it('[ACT-13] are given up with the run, and what they say afterwards counts for nothing', async () => {
    const begun = Promise.withResolvers<HookRun>()
    const late = Promise.withResolvers<HookResult>()
    const { session } = await open({
      hooks: (run) => {
        begun.resolve(run)
        return late.promise
      },
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
    const begun = Promise.withResolvers<HookRun>()
    const { session } = await open({
      hooks: (run) => {
        begun.resolve(run)
        return new Promise(() => {})
      },
    })
    const outcome = activate(session)
    const { signal } = await begun.promise
    await session.end()
    expect(await outcome).toMatchObject(refusal('SESSION_ENDED', /ended/))
    expect(signal.aborted).toBe(true)
    expect(session.state.active).toEqual([])
  })

  it('[ACT-13] stop the activation where one takes longer than it may', async () => {
    let given: AbortSignal | undefined
    const { session } = await open({
      hookTimeout: 5,
      hooks: ({ signal }) => {
        given = signal
        return new Promise(() => {})
      },
    })
    expect(await activate(session)).toMatchObject(refusal('HOOK_FAILED', /took longer than 5 ms/))
    expect((given!.reason as DOMException).name).toBe('TimeoutError')
    expect(active(session)).toEqual([])
  })

  it('[ACT-13, ASK-2] are not run where the folder has changed since it was agreed to', async () => {
    const { session } = await open(
      {},
      {
        consent: () => {
          write('deploy/scripts/check.sh', 'evil\n')
          return true
        },
      },
    )
    expect(await activate(session)).toMatchObject(refusal('HOOK_FAILED', /hooks were not run\. .*has changed/))
    expect(runs).toEqual([])
    expect(active(session)).toEqual([])
  })

  it('[ACT-13] read no file but as it was agreed to', async () => {
    const { session } = await open({
      hooks: running({
        'scripts/lock.sh': async ({ read }) => {
          write('deploy/scripts/check.sh', 'evil\n')
          return read('scripts/check.sh')
        },
      }),
    })
    expect(await activate(session)).toMatchObject(refusal('HOOK_FAILED', /"scripts\/check\.sh".*has changed/))
    await expect(runs[1]!.read('../plain/SKILL.md')).rejects.toMatchObject({ code: 'RESOURCE_PATH_INVALID' })
  })

  it('[ACT-13] run once for a skill that two calls of one message activate, and not again while it is active', async () => {
    const { session } = await open()
    session.beginStep([])
    const both = await Promise.all(
      ['a', 'b'].map((id) => session.call({ id, tool: 'activate_skill', input: { name: 'deploy' } }, () => 'ran')),
    )
    expect(both).toMatchObject([{ ok: true }, { ok: true }])
    expect(both[0]!.text).toBe(both[1]!.text)
    await activate(session)
    expect(commands()).toEqual(PRE)
  })
})

const fail = (what: unknown): never => {
  throw what instanceof Object ? what : new Error(String(what))
}

describe('hooks after a deactivation', () => {
  it('[ACT-13] run in order when the model leaves the skill, and it is no longer active by then', async () => {
    const seen: string[] = []
    const { session } = await open({
      hooks: (run) => {
        runs.push(run)
        if (run.phase === 'post') seen.push(...active(session))
        return { ok: true }
      },
    })
    await activate(session, 'deploy', 'prod')
    expect(await deactivate(session)).toMatchObject({ ok: true })
    expect(commands()).toEqual([...PRE, ...POST])
    expect(seen).toEqual([])
    expect(runs.at(-1)).toMatchObject({ phase: 'post', skill: 'deploy', args: 'prod', session: 'task' })
    expect(new TextDecoder().decode(await runs.at(-1)!.read('scripts/check.sh'))).toBe('check deploy\n')
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
    session.beginStep([])
    await Promise.all(['a', 'b'].map((id) => session.call({ id, tool: 'deactivate_skill', input: {} }, () => 'ran')))
    expect(commands()).toEqual([...PRE, ...POST])
  })

  it('[ACT-13, ACT-7] run at the end of the task, those of the skill that was activated last first', async () => {
    const { session } = await open()
    for (const name of ['deploy', 'other', 'plain', 'third']) await activate(session, name)
    runs = []
    await session.end()
    expect(commands()).toEqual(['post scripts/third.sh', 'post scripts/other.sh', ...POST])
    await session.end()
    expect(runs).toHaveLength(4)
  })

  it.each(['throws', 'is aborted'])('[ACT-13, ACT-7] run where the task %s', async (how) => {
    const { repertoire } = await open()
    const stop = new AbortController()
    await expect(
      repertoire.runTask({ consent: () => true }, async (session) => {
        await activate(session, 'other')
        if (how === 'throws') fail('crash')
        stop.abort(new Error('crash'))
        await activate(session, 'plain', undefined, stop.signal)
      }),
    ).rejects.toThrow('crash')
    expect(commands()).toEqual(['post scripts/other.sh'])
  })

  it('[ACT-13] are each tried, and one that fails is reported and keeps nothing back', async () => {
    const { session } = await open({
      hooks: running({
        'scripts/unlock.sh': () => ({ ok: false, output: 'locked by another' }),
        'scripts/other.sh': () => fail('no shell'),
      }),
    })
    await activate(session)
    await activate(session, 'other')
    await session.end()
    expect(commands().slice(2)).toEqual(['post scripts/other.sh', ...POST])
    expect(session.state).toMatchObject({ active: [], ended: true })
    expect(problems).toMatchObject([
      { code: 'HOOK_FAILED', skill: 'other', message: expect.stringMatching(/other\.sh" could not be run: no shell/) },
      { code: 'HOOK_FAILED', skill: 'deploy', message: expect.stringMatching(/unlock\.sh" failed: locked by another/) },
    ])
    expect(problems[0]!.cause).toBeInstanceOf(Error)
  })

  it('[ACT-13] let the model leave the skill also where one fails, and where a listener for problems throws', async () => {
    const { session } = await open(
      { hooks: running({ 'scripts/other.sh': () => fail('no shell') }) },
      { onProblem: () => fail('broken listener') },
    )
    await activate(session, 'other')
    expect(await deactivate(session)).toMatchObject({ ok: true, value: { name: 'other', active: false } })
    expect(active(session)).toEqual([])
  })

  it('[ACT-13] go on where the run that leaves the skill is aborted: they clean up', async () => {
    const stop = new AbortController()
    const { session } = await open({
      hooks: running({
        'scripts/unlock.sh': ({ signal }) => {
          stop.abort(new Error('stopped'))
          return { ok: !signal.aborted }
        },
      }),
    })
    await activate(session)
    await call(session, 'deactivate_skill', {}, stop.signal).catch(() => undefined)
    expect(commands().slice(2)).toEqual(POST)
    expect(problems).toEqual([])
  })

  it('[ACT-13] are given up when their time is over, so that the task ends', async () => {
    const { session } = await open({
      hookTimeout: 5,
      hooks: running({ 'scripts/unlock.sh': () => new Promise(() => {}) }),
    })
    await activate(session)
    await session.end()
    expect(commands().slice(2)).toEqual(POST)
    expect(problems).toMatchObject([{ code: 'HOOK_FAILED', message: expect.stringMatching(/longer than 5 ms/) }])
  })

  it('[ACT-13, ASK-2] are reported and not run where the folder is not what was agreed to any more', async () => {
    const { session } = await open()
    await activate(session)
    write('deploy/scripts/unlock.sh', 'evil\n')
    await session.end()
    expect(commands()).toEqual(PRE)
    expect(problems).toMatchObject([
      {
        code: 'HOOK_FAILED',
        skill: 'deploy',
        message: expect.stringMatching(
          /its hooks \("scripts\/unlock\.sh", "scripts\/tidy\.sh"\) were not run\. .*changed/,
        ),
      },
    ])
  })

  it('[ACT-13, ACT-15] run where the session goes on elsewhere, by what was agreed to', async () => {
    const first = await open()
    await activate(first.session, 'deploy', 'prod')
    const saved = structuredClone(first.session.save())
    runs = []
    const second = await open({}, { saved })
    await second.session.end()
    expect(commands()).toEqual(POST)
    expect(runs[0]).toMatchObject({ args: 'prod', digest: asked[0]!.digest })
    const without = await open({ hooks: undefined as unknown as HookRunner }, { saved })
    await without.session.end()
    expect(without.session.state.ended).toBe(true)
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/unlock\.sh" was not run: `openRepertoire` has no option `hooks`/),
      expect.stringMatching(/tidy\.sh" was not run/),
    ])
  })
})

describe('what is asked about hooks', () => {
  it('[ACT-13, ASK-4] the question shows the hooks and the toolsets, what is not seen made visible', async () => {
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
    [{ hooks: 'sh' }, /`hooks` is not a function/],
    [{ hookTimeout: 0 }, /hookTimeout is 0/],
    [{ hookTimeout: Number.NaN }, /hookTimeout is NaN/],
    [{ mounts: {} }, /`mounts` has no `mount`/],
    [{ mounts: null }, /`mounts` has no `mount`/],
  ])('[ACT-13] a wrong option is a mistake of the program: %j', async (options, message) => {
    await expect(openRepertoire({ sources: [], ...(options as object) })).rejects.toThrow(message)
  })
})
