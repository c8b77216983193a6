import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { memorySource } from '../../../src/catalog/memory-source.ts'
import { directorySource, privateMounts } from '../../../src/node/index.ts'
import { openRepertoire, type Repertoire } from '../../../src/repertoire.ts'
import type { RepertoireOptions, SessionOptions } from '../../../src/repertoire-options.ts'
import type { SavedSession } from '../../../src/session/state/seal.ts'
import type { Session } from '../../../src/session/session.ts'
import type { MountRequest, SkillMounts } from '../../../src/ports/mount.ts'
import type { Outcome } from '../../../src/ports/outcome.ts'
import type { SessionProblem } from '../../../src/ports/problem.ts'

const HOST = ['Bash', 'Read', 'Grep']

let base: string
let root: string
let spaces: string
let problems: SessionProblem[]

const write = (path: string, text: string): void => {
  const file = join(base, 'skills', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
const manifest = (name: string, fields = ''): string =>
  `---\nname: ${name}\ndescription: d\n${fields}---\nBody of ${name}: $1.\n`

beforeEach(() => {
  base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-mounted-'))
  root = join(base, 'root')
  spaces = join(root, 'private')
  problems = []
  write('pdf/SKILL.md', manifest('pdf'))
  write('pdf/scripts/run.sh', 'echo run\n')
  write('pdf/references/guide.md', 'one\ntwo\n')
  write('pdf/.env', 'KEY=1\n')
  write('csv/SKILL.md', manifest('csv', 'hooks:\n  post: [scripts/after.sh]\n'))
})

afterEach(() => rmSync(base, { recursive: true, force: true }))

async function open(
  options: Partial<RepertoireOptions> = {},
  session: SessionOptions = {},
): Promise<{ repertoire: Repertoire; session: Session }> {
  const repertoire = await openRepertoire({
    sources: [directorySource({ root: join(base, 'skills'), layer: 'project' })],
    mounts: privateMounts({ root }),
    hooks: () => ({ ok: true }),
    ...options,
  })
  const onProblem = (problem: SessionProblem): void => void problems.push(problem)
  return { repertoire, session: repertoire.openSession({ id: 'task', consent: () => true, onProblem, ...session }) }
}

let calls = 0
const call = (session: Session, tool: string, input: unknown, signal?: AbortSignal): Promise<Outcome> => {
  session.beginStep(HOST)
  return session.call({ id: `call-${calls++}`, tool, input }, () => 'ran', { signal })
}
const activate = (session: Session, name = 'pdf') => call(session, 'activate_skill', { name })
const deactivate = (session: Session) => call(session, 'deactivate_skill', {})
const refusal = (code: string, reason: RegExp) => ({
  ok: false,
  refusal: { code, reason: expect.stringMatching(reason) as string },
})
const below = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted() : []
/** A port that fails where it is told to. */
const port = (parts: Partial<SkillMounts>): SkillMounts => ({ ...privateMounts({ root }), ...parts })

describe('a mounted skill', () => {
  it('[ACT-5] is copied for the task, and the model is given the private path and the real one for its shell', async () => {
    const { session } = await open()
    const outcome = await activate(session)
    const location = join(spaces, 'task/.skills/pdf')
    expect(outcome).toMatchObject({
      ok: true,
      value: { name: 'pdf', mountPath: 'private:/.skills/pdf', basePath: location },
    })
    expect(outcome.text).toContain('Skill directory: private:/.skills/pdf\n')
    expect(outcome.text).toContain(`for shell commands: ${location}\n`)
    expect(outcome.text).not.toContain(join(base, 'skills', 'pdf'))
    for (const file of ['SKILL.md', 'scripts/run.sh', 'references/guide.md', '.env']) {
      expect(readFileSync(join(location, file))).toEqual(readFileSync(join(base, 'skills/pdf', file)))
    }
    expect(session.state.active[0]!.mount).toEqual({ path: 'private:/.skills/pdf', location })
  })

  it('[ACT-5, SHOW-6] the guidance says that the shell takes real paths, only where there are private ones', async () => {
    const mounted = (await open()).session.beginStep(HOST).instructions
    const plain = (await open({ mounts: undefined as unknown as SkillMounts })).session.beginStep(HOST).instructions
    expect(mounted).toContain('`private:`')
    expect(plain).not.toContain('private:')
  })

  it('[ACT-5] comes from any source', async () => {
    const skills = { pdf: { 'SKILL.md': manifest('pdf'), 'scripts/run.sh': 'echo' } }
    const { session } = await open({ sources: [memorySource({ layer: 'project', skills })] })
    expect(await activate(session)).toMatchObject({ ok: true })
    expect(below(join(spaces, 'task/.skills/pdf'))).toEqual(['SKILL.md', 'scripts', join('scripts', 'run.sh')])
  })

  it('[ACT-5] goes away when it is deactivated, and another one stays', async () => {
    const { session } = await open()
    await activate(session)
    await activate(session, 'csv')
    await deactivate(session)
    expect(readdirSync(join(spaces, 'task/.skills'))).toEqual(['pdf'])
    await deactivate(session)
    expect(below(spaces)).toEqual([])
    expect(await activate(session)).toMatchObject({ ok: true })
    expect(readdirSync(join(spaces, 'task/.skills'))).toEqual(['pdf'])
  })

  it.each(['succeeds', 'throws', 'is aborted'])('[ACT-5, ACT-7] goes away where the task %s', async (how) => {
    const { repertoire } = await open()
    const stop = new AbortController()
    const task = repertoire.runTask({ consent: () => true }, async (session) => {
      await activate(session)
      await activate(session, 'csv')
      expect(readdirSync(spaces)).toHaveLength(1)
      if (how === 'throws') throw new Error('crash')
      if (how === 'is aborted') stop.abort(new Error('crash'))
      await call(session, 'deactivate_skill', {}, stop.signal)
      return 'done'
    })
    expect(await task.catch(({ message }: Error) => message)).toBe(how === 'succeeds' ? 'done' : 'crash')
    expect(below(spaces)).toEqual([])
  })

  it('[ACT-5, ACT-8] is another copy in another session, which the end of the first leaves alone', async () => {
    const { session, repertoire } = await open()
    const other = repertoire.openSession({ id: '../../task', consent: () => true })
    await activate(session)
    await activate(other)
    const [here, there] = [session, other].map(({ state }) => state.active[0]!.mount!.location)
    expect(here).not.toBe(there)
    expect(there!.startsWith(`${spaces}/`.replaceAll('/', join('/')))).toBe(true)
    await session.end()
    expect(existsSync(here!)).toBe(false)
    expect(readFileSync(join(there!, 'scripts/run.sh'), 'utf8')).toBe('echo run\n')
    await other.end()
    expect(below(spaces)).toEqual([])
  })

  it('[ACT-5, ACT-14] is reminded of with the place of its own copy, whatever another session has', async () => {
    const { session, repertoire } = await open()
    const other = repertoire.openSession({ id: 'other', consent: () => true })
    const outcomes = [await activate(session), await activate(other)]
    expect(outcomes[0]!.text).not.toBe(outcomes[1]!.text)
    expect(await session.reminder(() => false)).toBe(outcomes[0]!.text)
    expect(await other.reminder(() => false)).toBe(outcomes[1]!.text)
    await other.end()
    await session.end()
  })

  it('[ACT-5] is mounted once where two calls of one message activate it', async () => {
    const requests: MountRequest[] = []
    const real = privateMounts({ root })
    const mounts = port({
      mount: (request) => {
        requests.push(request)
        return real.mount(request)
      },
    })
    const { session } = await open({ mounts })
    session.beginStep(HOST)
    const both = await Promise.all(
      ['a', 'b'].map((id) => session.call({ id, tool: 'activate_skill', input: { name: 'pdf' } }, () => 'ran')),
    )
    expect(both[0]!.text).toBe(both[1]!.text)
    expect(requests).toMatchObject([{ task: 'task', skill: 'pdf', digest: session.state.active[0]!.digest }])
  })
})

describe('what is named by a private path', () => {
  it.each([
    ['Read', (path: string) => ({ file_path: path })],
    ['Grep', (path: string) => ({ pattern: 'x', path })],
  ])('[ACT-5, GATE-4] %s is kept from scripts by every path that they have', async (tool, input) => {
    const { session } = await open()
    await activate(session)
    const { location } = session.state.active[0]!.mount!
    for (const path of [
      'private:/.skills/pdf/scripts/run.sh',
      'PRIVATE:/.skills/PDF/scripts/../scripts/run.sh',
      'private://.skills//pdf/scripts/run.sh',
      'private:/.skills/pdf/scripts/*.sh',
      join(location, 'scripts/run.sh'),
      join(location, 'scripts/{run,x}.sh'),
      join(base, 'skills/pdf/scripts/run.sh'),
    ]) {
      const outcome = await call(session, tool, input(path))
      expect({ path, ...outcome }).toMatchObject({
        path,
        ...refusal('SCRIPT_READ_BLOCKED', /scripts are run, not read/),
      })
      // What it is told to run is the copy, where it really lies.
      expect(outcome.text).toContain(JSON.stringify(`${location}/scripts/`).slice(1, -1))
    }
    expect(await call(session, 'Read', { file_path: 'private:/.skills/pdf/references/guide.md' })).toMatchObject({
      ok: true,
      value: 'ran',
    })
  })

  it('[ACT-5, RES-2] is read by the resource tool, and a script is not', async () => {
    const { session } = await open()
    await activate(session)
    await activate(session, 'csv')
    const read = (path: string, skill?: string) => call(session, 'read_skill_resource', { path, skill })
    expect(await read('private:/.skills/pdf/references/guide.md')).toMatchObject({
      ok: true,
      text: expect.stringContaining('one\ntwo') as string,
    })
    expect(await read('private:/.skills/pdf/scripts/run.sh')).toMatchObject(
      refusal('SCRIPT_READ_BLOCKED', /"scripts\/run\.sh" is a script/),
    )
    expect(await read('private:/.skills/pdf/../csv/SKILL.md')).toMatchObject(refusal('RESOURCE_REFUSED', /climbs/))
    expect(await read('private:/.skills/pdf/references/guide.md', 'csv')).toMatchObject(
      refusal('RESOURCE_REFUSED', /private:/),
    )
    expect(await read('private:/.skills/other/a.md')).toMatchObject(refusal('RESOURCE_REFUSED', /private:/))
  })

  it('[ACT-5] is the real path for the host’s tools, and every other path stays as it is', async () => {
    const { session } = await open()
    await activate(session)
    const { location } = session.state.active[0]!.mount!
    expect(session.resolvePath('private:/.skills/pdf')).toBe(location)
    expect(session.resolvePath('private:/.skills/pdf/references/./guide.md')).toBe(
      join(location, 'references/guide.md'),
    )
    expect(session.resolvePath('private:/.skills/pdf/.env')).toBe(join(location, '.env'))
    for (const path of ['/etc/hosts', 'a/b.md', '', 'C:\\x', 'file:///x']) expect(session.resolvePath(path)).toBe(path)
  })

  it.each([
    ['private:/.skills/pdf/../../x', 'RESOURCE_PATH_INVALID'],
    ['private:/.skills/pdf/..', 'RESOURCE_PATH_INVALID'],
    ['private:/.skills/pdf//etc', 'RESOURCE_PATH_INVALID'],
    ['private:/.skills/pdf/%2e%2e/x', 'RESOURCE_PATH_INVALID'],
    ['private:/.skills/pdf/a\\..\\b', 'RESOURCE_PATH_INVALID'],
    ['private:/.skills/pdf/a\0', 'RESOURCE_PATH_INVALID'],
    ['private:/.skills/../x', 'RESOURCE_PATH_INVALID'],
    ['PRIVATE:\\.skills\\pdf', 'RESOURCE_PATH_INVALID'],
    [' private:/.skills/pdf/a.md', 'RESOURCE_NOT_FOUND'],
    ['private:/.skills/pdf-evil/a.md', 'RESOURCE_NOT_FOUND'],
    ['private:/.skills/csv/a.md', 'RESOURCE_NOT_FOUND'],
    ['private:', 'RESOURCE_NOT_FOUND'],
  ])('[ACT-5, RES-3] is refused where it leads elsewhere: %j', async (path, code) => {
    const { session } = await open()
    await activate(session)
    expect(() => session.resolvePath(path)).toThrow(expect.objectContaining({ code }) as Error)
  })
})

describe('a mount that cannot be', () => {
  it('[ACT-5] refuses the activation, and nothing is active and nothing run after it', async () => {
    const ran: string[] = []
    const { session } = await open({
      mounts: port({ mount: () => Promise.reject(new Error('disk full')) }),
      hooks: ({ command }) => {
        ran.push(command)
        return { ok: true }
      },
    })
    expect(await activate(session, 'csv')).toMatchObject(
      refusal('MOUNT_FAILED', /"csv" was not activated: .*private space of this task\. disk full/),
    )
    expect(session.state.active).toEqual([])
    await session.end()
    expect(ran).toEqual([])
  })

  it.each([[undefined], [null], ['private:/x'], [{ path: 'private:/x' }], [{ path: '', location: '/x' }]])(
    '[ACT-5] refuses the activation where the port gives %j',
    async (given) => {
      const { session } = await open({ mounts: port({ mount: () => Promise.resolve(given as never) }) })
      expect(await activate(session)).toMatchObject(refusal('MOUNT_FAILED', /gave no `path`/))
      expect(session.state.active).toEqual([])
    },
  )

  it('[ACT-5, ASK-2] refuses a file that was changed after it was agreed to, and leaves nothing', async () => {
    for (const file of ['scripts/run.sh', 'SKILL.md', '.env']) {
      const original = readFileSync(join(base, 'skills/pdf', file), 'utf8')
      const { session } = await open(
        {},
        {
          consent: () => {
            write(`pdf/${file}`, `${original}evil\n`)
            return true
          },
        },
      )
      expect(await activate(session)).toMatchObject(refusal('MOUNT_FAILED', /has changed since/))
      expect(session.state.active).toEqual([])
      expect(below(spaces)).toEqual([])
      write(`pdf/${file}`, original)
    }
  })

  it.runIf(process.platform !== 'win32')('[ACT-5] copies no link, and nothing through one', async () => {
    const secret = join(base, 'secret')
    mkdirSync(secret)
    writeFileSync(join(secret, 'key'), 'secret')
    symlinkSync(secret, join(base, 'skills/pdf/references/more'))
    symlinkSync(join(secret, 'key'), join(base, 'skills/pdf/key'))
    const { session } = await open()
    await activate(session)
    expect(below(spaces).filter((path) => /more|key/.test(path))).toEqual([])
    // Swapped for a link between consent and mount.
    const swapped = await open(
      {},
      {
        id: 'other',
        consent: () => {
          rmSync(join(base, 'skills/csv/SKILL.md'))
          symlinkSync(join(secret, 'key'), join(base, 'skills/csv/SKILL.md'))
          return true
        },
      },
    )
    expect(await activate(swapped.session, 'csv')).toMatchObject(refusal('MOUNT_FAILED', /SKILL\.md/))
    expect(readdirSync(spaces)).toEqual(['task'])
  })

  it('[ACT-5] leaves nothing of a mount that the run is aborted in', async () => {
    const begun = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const real = privateMounts({ root })
    const mounts = port({
      mount: async (request) => {
        const mount = await real.mount(request)
        begun.resolve()
        await go.promise
        return mount
      },
    })
    const { session } = await open({ mounts })
    const stop = new AbortController()
    const outcome = call(session, 'activate_skill', { name: 'pdf' }, stop.signal)
    await begun.promise
    stop.abort(new Error('stopped'))
    go.resolve()
    await expect(outcome).rejects.toThrow('stopped')
    expect(below(spaces)).toEqual([])
    expect(session.state.active).toEqual([])
  })

  it('[ACT-5, ACT-7] is reported where a copy cannot be removed, and the task ends all the same', async () => {
    const { session } = await open({ mounts: port({ unmount: () => Promise.reject(new Error('busy')) }) })
    await activate(session)
    expect(await deactivate(session)).toMatchObject({ ok: true })
    await session.end()
    expect(session.state.ended).toBe(true)
    expect(problems).toMatchObject([
      { code: 'UNMOUNT_FAILED', skill: 'pdf', message: expect.stringMatching(/copy of the skill "pdf".*busy/) },
      { code: 'UNMOUNT_FAILED', message: expect.stringMatching(/private space of a task.*busy/) },
    ])
  })
})

describe('a fork with a private copy', () => {
  it('[ACT-5, ACT-10, ACT-13] has one of its own, which goes with its hooks when the fork ends', async () => {
    write('forked/SKILL.md', manifest('forked', 'context: fork\nhooks:\n  pre: [before]\n  post: [after]\n'))
    const events: string[] = []
    const { session } = await open({
      hooks: ({ phase, session: id }) => {
        events.push(`${phase} in ${id}, copies: ${below(spaces).filter((path) => path.endsWith('SKILL.md')).length}`)
        return { ok: true }
      },
    })
    await activate(session)
    session.beginStep(HOST)
    const input = { name: 'forked', args: 'now' }
    const outcome = await session.call({ id: 'fork', tool: 'activate_skill', input }, () => 'ran', {
      fork: ({ session: child, instructions }) => {
        const [outer, own] = child.state.active.map(({ mount }) => mount!.location)
        events.push(`at work, copies: ${[outer!, own!].filter((path) => existsSync(join(path, 'SKILL.md'))).length}`)
        expect(instructions).toContain('Skill directory: private:/.skills/forked\n')
        expect(instructions).toContain('Body of forked: now.')
        expect(child.resolvePath('private:/.skills/forked/SKILL.md')).toBe(join(own!, 'SKILL.md'))
        expect(child.resolvePath('private:/.skills/pdf/SKILL.md')).toBe(join(outer!, 'SKILL.md'))
        return Promise.resolve('done')
      },
    })
    expect(outcome).toMatchObject({ ok: true, value: { name: 'forked', forked: true, result: 'done' } })
    expect(events).toEqual(['pre in task, copies: 1', 'at work, copies: 2', 'post in task/fork, copies: 1'])
    expect(readdirSync(spaces)).toEqual(['task'])
    await session.end()
    expect(below(spaces)).toEqual([])
  })
})

describe('a session with mounts that goes on elsewhere', () => {
  it('[ACT-5, ACT-15] ends in another process, which removes what the first one mounted', async () => {
    const { session } = await open()
    await activate(session)
    await activate(session, 'csv')
    const script = `
      import { openRepertoire } from ${JSON.stringify(new URL('../../../src/index.ts', import.meta.url).href)}
      import { directorySource, privateMounts } from ${JSON.stringify(new URL('../../../src/node/index.ts', import.meta.url).href)}
      const { root, skills, saved } = JSON.parse(process.env.REPERTOIRE_TEST)
      const repertoire = await openRepertoire({
        sources: [directorySource({ root: skills, layer: 'project' })],
        mounts: privateMounts({ root }),
        hooks: ({ phase, command, skill }) => {
          console.log(phase, skill, command)
          return { ok: true }
        },
      })
      const session = repertoire.openSession({ saved })
      console.log(session.resolvePath('private:/.skills/pdf/references/guide.md'))
      session.beginStep(['Read'])
      const input = { file_path: 'private:/.skills/pdf/scripts/run.sh' }
      console.log((await session.call({ id: '1', tool: 'Read', input }, () => 'ran')).refusal.code)
      await session.end()
      console.log(session.state.ended)
    `
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      env: {
        ...process.env,
        REPERTOIRE_TEST: JSON.stringify({ root, skills: join(base, 'skills'), saved: session.save() }),
      },
    })
    expect(stdout.trim().split(/\r?\n/)).toEqual([
      join(spaces, 'task/.skills/pdf/references/guide.md'),
      'SCRIPT_READ_BLOCKED',
      'post csv scripts/after.sh',
      'true',
    ])
    expect(below(spaces)).toEqual([])
  })

  it('[ACT-15] takes a state from before there were mounts, arguments and hooks', async () => {
    const { session } = await open({ mounts: undefined as unknown as SkillMounts })
    await activate(session)
    const saved = JSON.parse(JSON.stringify(session.save())) as SavedSession
    const resumed = await open({}, { saved })
    expect(resumed.session.state).toEqual(session.state)
    expect(resumed.session.state.active[0]).not.toHaveProperty('mount')
    expect(await call(resumed.session, 'Read', { file_path: join(base, 'skills/pdf/scripts/run.sh') })).toMatchObject(
      refusal('SCRIPT_READ_BLOCKED', /run/),
    )
    await resumed.session.end()
    expect(problems).toEqual([])
  })

  it.each([
    ['args', 7],
    ['mount', 'private:/x'],
    ['mount', { path: 'private:/x' }],
    ['mount', { path: 'private:/x', location: 7 }],
    ['post', 'sh'],
    ['post', [7]],
  ])('[ACT-15] refuses a state whose %s is %j', async (field, value) => {
    const { session, repertoire } = await open()
    await activate(session)
    const saved = JSON.parse(JSON.stringify(session.save()), (key, part: unknown) =>
      key === 'active' ? (part as object[]).map((skill) => ({ ...skill, [field]: value })) : part,
    ) as SavedSession
    expect(() => repertoire.openSession({ saved })).toThrow(
      expect.objectContaining({
        code: 'STATE_INVALID',
        message: expect.stringContaining(`active[0].${field}`) as string,
      }) as Error,
    )
  })
})
