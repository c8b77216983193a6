import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  type AdapterSessionOptions,
  adapterSession,
  openAdapterSession,
  type AdapterSession,
} from '../../src/adapter.ts'
import {
  type Repertoire,
  type RepertoireOptions,
  type SessionProblem,
  type SkillFolder,
  type FoundSkill,
  type SkillSource,
  getSkillItems,
  memorySource,
  openRepertoire,
} from '../../src/index.ts'
import { skillText, reminderOf } from './session-world.ts'
import { mapped, neverScans } from '../mapped-source.ts'
import { hooksBy } from './hook-runner.ts'

const never = (): Promise<never> => new Promise(() => {})
/** Short: what is awaited here never settles. A loaded machine loads the rest in it. */
const SHORT = { catalog: { loadTimeout: 400 } }
const TIMED_OUT = { name: 'SkillError', code: 'TIMED_OUT' }

const skills = {
  good: { 'SKILL.md': skillText('good') },
  stuck: { 'SKILL.md': skillText('stuck'), 'a.md': 'text', 'scripts/go.sh': 'echo' },
  hooked: { 'SKILL.md': skillText('hooked', 'hooks:\n  pre: pre.sh\n  post: post.sh\n'), 'pre.sh': '', 'post.sh': '' },
}
const good = memorySource({ layer: 'project', skills })

/** The same source, with folders of one name whose methods are others from when `isStuck` says so. */
function stuck(methods: Partial<SkillFolder>, isStuck: () => boolean = () => true): SkillSource {
  return {
    ...good,
    scan: () =>
      mapped(good, (found) => {
        const { folder } = found
        const pick = <K extends keyof SkillFolder>(name: K): SkillFolder[K] =>
          (found.folderName === 'stuck' && isStuck() ? methods[name] : undefined) ?? folder[name]
        const survey = methods.survey && found.folderName === 'stuck' && { survey: methods.survey }
        return {
          ...found,
          folder: {
            ...folder,
            readManifest: () => pick('readManifest')(),
            list: () => pick('list')(),
            read: (...what) => pick('read')(...what),
            ...survey,
          },
        }
      }),
  }
}

async function open(
  options: Partial<RepertoireOptions>,
  session: AdapterSessionOptions = {},
): Promise<{ repertoire: Repertoire; session: AdapterSession; problems: SessionProblem[] }> {
  const problems: SessionProblem[] = []
  const repertoire = await openRepertoire({ sources: [good], ...SHORT, ...options })
  const opened = openAdapterSession(repertoire, {
    consent: () => true,
    onProblem: (problem) => problems.push(problem),
    ...session,
  })
  return { repertoire, session: opened, problems }
}

let count = 0
const call = (session: AdapterSession, tool: string, input: object, signal?: AbortSignal) =>
  session.call({ id: `c${count++}`, tool, input }, () => 'ran', { signal })
const activate = (session: AdapterSession, name: string, signal?: AbortSignal) =>
  call(session, 'activate_skill', { name }, signal)

// What the first scan imports would take longer than the short limit.
beforeAll(async () => void (await openRepertoire({ sources: [good] })))

describe('a folder whose read never settles', () => {
  it.each(['readManifest', 'list', 'read', 'survey'] as const)(
    '[CAT-10, ABUSE-121] fails with its own skill alone, and the session goes on: %s',
    async (method) => {
      const { session } = await open({ sources: [stuck({ [method]: never })] })
      const outcome = await activate(session, 'stuck')
      expect(outcome).toMatchObject({ ok: false, refusal: { code: 'SKILL_BROKEN' } })
      expect(outcome).toMatchObject({ refusal: { detail: expect.stringContaining('did not answer within 400 ms') } })
      expect(await activate(session, 'good')).toMatchObject({ ok: true })
      await session.end()
      expect(session.state.ended).toBe(true)
    },
  )

  it('[CAT-10, ABUSE-121] does not keep a task from ending, whatever the limit is', async () => {
    const { repertoire } = await open({ sources: [stuck({ readManifest: never })], catalog: { loadTimeout: Infinity } })
    const activating = repertoire.runTask({ consent: () => true }, async (session) => {
      void activate(adapterSession(session), 'stuck')
      void adapterSession(session)
        .preview({ id: 'x', tool: 'activate_skill', input: { name: 'stuck' } }, { asks: true })
        .then(({ waits }) => waits)
      return 'done'
    })
    expect(await activating).toBe('done')
  })

  it('[CAT-10, ABUSE-121] rejects an aborted call at once, and those that wait behind it', async () => {
    const { session } = await open({ sources: [stuck({ readManifest: never })], catalog: { loadTimeout: Infinity } })
    const [first, second] = [new AbortController(), new AbortController()]
    const stuckCall = activate(session, 'stuck', first.signal)
    const waiting = activate(session, 'good', second.signal)
    const last = activate(session, 'good')
    second.abort(new Error('second stopped'))
    await expect(waiting).rejects.toThrow('second stopped')
    first.abort(new Error('first stopped'))
    await expect(stuckCall).rejects.toThrow('first stopped')
    expect(await last).toMatchObject({ ok: true })
    expect(session.activeSkills).toEqual(['good'])
  })

  it('[CAT-10, ABUSE-121] rejects an aborted deactivation at once, and what comes next waits for its hook', async () => {
    const ended: string[] = []
    const hook = Promise.withResolvers<{ ok: true }>()
    const begun = Promise.withResolvers<void>()
    const scripts = hooksBy(async ({ script }) => {
      if (script === 'post.sh') {
        begun.resolve()
        await hook.promise
      }
      ended.push(script)
      return { ok: true }
    })
    const { session } = await open({ scripts, catalog: { loadTimeout: Infinity } })
    expect(await activate(session, 'hooked')).toMatchObject({ ok: true })
    const stop = new AbortController()
    const stopped = call(session, 'deactivate_skill', {}, stop.signal)
    const next = activate(session, 'good')
    await begun.promise
    stop.abort(new Error('stopped'))
    await expect(stopped).rejects.toThrow('stopped')
    expect(ended).toEqual(['pre.sh'])
    hook.resolve({ ok: true })
    expect(await next).toMatchObject({ ok: true })
    expect(ended).toEqual(['pre.sh', 'post.sh'])
  })

  it('[CAT-10, ASK-5] rejects a request for consent at once if its run is aborted, and makes the next', async () => {
    const options = { sources: [stuck({ readManifest: never })], catalog: { loadTimeout: Infinity } }
    const { session } = await open(options, { consent: undefined })
    const stop = new AbortController()
    const asking = (name: string, signal?: AbortSignal) =>
      session
        .preview({ id: name, tool: 'activate_skill', input: { name } }, { signal, asks: true })
        .then(({ waits }) => waits)
    const request = asking('stuck', stop.signal)
    const next = asking('good')
    stop.abort(new Error('stopped'))
    await expect(request).rejects.toThrow('stopped')
    expect(await next).toMatchObject({ skill: 'good' })
  })

  it('[CAT-10, ABUSE-121] fails after an answer too, and nothing is activated', async () => {
    let isStuck = false
    const consent = (): Promise<boolean> => Promise.resolve((isStuck = true))
    const { session } = await open({ sources: [stuck({ readManifest: never }, () => isStuck)] }, { consent })
    expect(await activate(session, 'stuck')).toMatchObject({ ok: false, refusal: { code: 'SKILL_BROKEN' } })
    expect(session.state.active).toEqual([])
  })

  it('[CAT-10, RES-2] refuses the file of an active skill, or rejects where its run is aborted', async () => {
    let isStuck = false
    const { session } = await open({ sources: [stuck({ read: never }, () => isStuck)] })
    await activate(session, 'stuck')
    isStuck = true
    expect(await call(session, 'read_skill_resource', { path: 'a.md' })).toMatchObject({
      ok: false,
      refusal: { code: 'RESOURCE_REFUSED', detail: expect.stringContaining('"a.md" in memory:memory/stuck did not') },
    })
    const patient = await open({ sources: [stuck({ read: never }, () => isStuck)], catalog: { loadTimeout: Infinity } })
    isStuck = false
    await activate(patient.session, 'stuck')
    isStuck = true
    const stop = new AbortController()
    const reading = call(patient.session, 'read_skill_resource', { path: 'a.md' }, stop.signal)
    stop.abort(new Error('stopped'))
    await expect(reading).rejects.toThrow('stopped')
    await patient.session.end()
  })

  it('[CAT-10, ACT-12] is said to be gone in a reminder of another process', async () => {
    const { session } = await open({})
    await activate(session, 'stuck')
    const saved = session.save()
    const { session: other } = await open({ sources: [stuck({ readManifest: never })] }, { saved })
    expect(await reminderOf(other, () => false)).toContain(
      'The instructions of the active skill "stuck" cannot be shown',
    )
  })

  it('[CAT-10] fails what a host reads itself, with a typed error', async () => {
    const { repertoire } = await open({ sources: [stuck({ readManifest: never, list: never, read: never })] })
    await expect(repertoire.load('stuck')).rejects.toMatchObject(TIMED_OUT)
    await expect(repertoire.tiers().instructions('stuck')).rejects.toMatchObject(TIMED_OUT)
    await expect(repertoire.tiers().resources('stuck')).rejects.toMatchObject(TIMED_OUT)
    await expect(repertoire.tiers().resource('stuck', 'a.md')).rejects.toMatchObject(TIMED_OUT)
    expect((await repertoire.load('good')).body).toContain('Body of good.')
  })
})

describe('a source that never settles', () => {
  const hanging = (id: string, more: Partial<SkillSource> = {}): SkillSource => ({
    id,
    layer: 'project',
    scan: neverScans,
    ...more,
  })

  it('[CAT-10, ABUSE-121] fails alone, with what it had reported, and what it reports later is ignored', async () => {
    let later: () => void = () => {}
    const slow = hanging('slow', {
      async *scan() {
        const head = new TextEncoder().encode(skillText('early'))
        const at = (path: string): FoundSkill => {
          const folder = { location: path, readManifest: never, list: never, read: never }
          const names = { folderName: 'early', fileName: 'SKILL.md' }
          return { ...names, path: `${path}/SKILL.md`, size: head.length, head, folder }
        }
        yield at('/early')
        await new Promise<void>((resolve) => void (later = resolve))
        yield at('/late')
      },
    })
    const { repertoire, session } = await open({ sources: [slow, good] })
    const { catalog } = repertoire
    expect(catalog.list().map(({ name }) => name)).toEqual(['early', 'good', 'hooked', 'stuck'])
    expect(catalog.diagnostics).toMatchObject([
      { code: 'SOURCE_FAILED', path: 'slow', message: expect.stringContaining('did not answer within 400 ms') },
    ])
    later()
    expect(catalog.shadowed).toEqual([])
    expect(await activate(session, 'good')).toMatchObject({ ok: true })
  })

  it('[CAT-10] is waited for 30 seconds where the host says nothing', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      let opened: Repertoire | undefined
      const opening = openRepertoire({ sources: [hanging('slow'), good] }).then((repertoire) => (opened = repertoire))
      await vi.advanceTimersByTimeAsync(29_999)
      expect(opened).toBeUndefined()
      await vi.advanceTimersByTimeAsync(1)
      expect((await opening).catalog.has('good')).toBe(true)
    } finally {
      vi.useRealTimers()
    }
  })

  it('[CAT-10] does not stop a reload', async () => {
    let isHanging = false
    const source = hanging('other', { scan: () => (isHanging ? neverScans() : good.scan()) })
    const { repertoire } = await open({ sources: [source] })
    isHanging = true
    const { kept, diagnostics } = await repertoire.reload({ force: true })
    expect(kept).toEqual(['good', 'hooked', 'stuck'])
    expect(diagnostics.map(({ code }) => code)).toContain('SOURCE_FAILED')
  })

  it('[CAT-10] is not watched if its watch begins too late, and a watch that never ends does not keep anything from ending', async () => {
    const late = Promise.withResolvers<{ close(): Promise<void> }>()
    const closed = Promise.withResolvers<void>()
    const source = hanging('watched', { scan: () => good.scan(), watch: () => late.promise })
    const { repertoire } = await open({ sources: [source], watch: true })
    expect(repertoire.catalog.diagnostics).toMatchObject([{ code: 'WATCH_FAILED', path: 'watched' }])
    late.resolve({ close: () => Promise.resolve(closed.resolve()) })
    await closed.promise
    await repertoire.close()
    const written: string[] = []
    const endless = await openRepertoire({
      ...SHORT,
      sources: [{ ...source, watch: () => Promise.resolve({ close: never }) }],
      watch: true,
      audit: { write: () => {}, close: () => void written.push('closed') },
    })
    await expect(endless.close()).rejects.toMatchObject(TIMED_OUT)
    expect(written).toEqual(['closed'])
  })
})

describe('other ports that never settle', () => {
  it('[CAT-10, ACT-5] refuses a skill whose mount is never made, and removes one that is made too late', async () => {
    const late = Promise.withResolvers<{ path: string; location: string }>()
    const removed: unknown[] = []
    const gone = Promise.withResolvers<void>()
    const mounts = {
      mount: () => late.promise,
      unmount: (...what: unknown[]) => Promise.resolve(gone.resolve(void removed.push(what))),
    }
    const { session } = await open({ mounts }, { id: 'task' })
    expect(await activate(session, 'good')).toMatchObject({ ok: false, refusal: { code: 'MOUNT_FAILED' } })
    expect(removed).toEqual([])
    late.resolve({ path: 'private:/x', location: '/x' })
    await gone.promise
    expect(removed).toEqual([['task', 'good']])
  })

  it('[CAT-10, ACT-5, ACT-7] ends a task whose copies are never removed, and says so', async () => {
    const mounts = { mount: () => Promise.resolve({ path: 'private:/x', location: '/x' }), unmount: never }
    const { session, problems } = await open({ mounts })
    expect(await activate(session, 'good')).toMatchObject({ ok: true })
    await session.end()
    expect(session.state.ended).toBe(true)
    expect(problems.map(({ code }) => code)).toEqual(['UNMOUNT_FAILED', 'UNMOUNT_FAILED'])
  })

  it('[CAT-10, ACT-13] abandons hooks', async () => {
    const { session } = await open({ scripts: hooksBy(never) })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const outcome = activate(session, 'hooked')
    await vi.advanceTimersByTimeAsync(65_000)
    expect(await outcome).toMatchObject({ ok: false, refusal: { code: 'HOOK_FAILED' } })
    await session.end()
  })

  it('[CAT-10, CAT-7] fails a request for items that a provider never answers, or rejects if it is aborted', async () => {
    const provider = { items: never }
    await expect(getSkillItems(provider, {}, { timeout: 5 })).rejects.toMatchObject(TIMED_OUT)
    const stop = new AbortController()
    const asking = getSkillItems(provider, { signal: stop.signal })
    stop.abort(new Error('stopped'))
    await expect(asking).rejects.toThrow('stopped')
    await expect(getSkillItems(provider, {}, { timeout: 0 })).rejects.toThrow('`timeout` is 0')
  })

  it.each([[0], [-1], [Number.NaN], ['5']])(
    '[CAT-10] a limit of %j is a mistake of the program',
    async (loadTimeout) => {
      const options = { sources: [], catalog: { loadTimeout: loadTimeout as number } }
      await expect(openRepertoire(options)).rejects.toThrow(/`catalog.loadTimeout` is .*more than 0/)
    },
  )
})
