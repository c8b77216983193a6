import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { foreign } from '@repertoire/test-servers/properties'
import { adapterSession, openAdapterSession } from '../../../src/adapter.ts'
import {
  type FolderSurvey,
  type MountRequest,
  type SkillFolder,
  type SkillMounts,
  type SkillSource,
  memorySource,
} from '../../../src/index.ts'
import { privateMounts } from '../../../src/node/index.ts'
import {
  makeSkills,
  HOST,
  base,
  root,
  spaces,
  problems,
  write,
  manifest,
  open,
  call,
  activate,
  deactivate,
  below,
  port,
} from './mount-world.ts'
import { refusal } from '../outcome.ts'
import { hooksBy } from '../hook-runner.ts'
import { mapped } from '../../mapped-source.ts'
import { reminderOf } from '../session-world.ts'

makeSkills()

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

  it('[ACT-5] is copied from any source', async () => {
    const skills = { pdf: { 'SKILL.md': manifest('pdf'), 'scripts/run.sh': 'echo' } }
    const { session } = await open({ sources: [memorySource({ layer: 'project', skills })] })
    expect(await activate(session)).toMatchObject({ ok: true })
    expect(below(join(spaces, 'task/.skills/pdf'))).toEqual(['SKILL.md', 'scripts', join('scripts', 'run.sh')])
  })

  it('[ACT-5] is removed when it is deactivated, and another one stays', async () => {
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

  it.each(['succeeds', 'throws', 'is aborted'])('[ACT-5, ACT-7] is removed where the task %s', async (how) => {
    const { repertoire } = await open()
    const stop = new AbortController()
    const task = repertoire.runTask({ consent: () => true }, async (session) => {
      await activate(adapterSession(session))
      await activate(adapterSession(session), 'csv')
      expect(readdirSync(spaces)).toHaveLength(1)
      if (how === 'throws') throw new Error('crash')
      if (how === 'is aborted') stop.abort(new Error('crash'))
      await call(adapterSession(session), 'deactivate_skill', {}, stop.signal)
      return 'done'
    })
    expect(await task.catch(({ message }: Error) => message)).toBe(how === 'succeeds' ? 'done' : 'crash')
    expect(below(spaces)).toEqual([])
  })

  it.each([
    ['session', { id: '../../task' }],
    ["session of another tenant's with the same id", { id: 'task', tenant: 'other' }],
  ])('[ACT-5, ACT-8] is another copy in another %s, which the end of the first leaves alone', async (_which, named) => {
    const { session, repertoire } = await open()
    const other = openAdapterSession(repertoire, { ...named, consent: () => true })
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
    const other = openAdapterSession(repertoire, { id: 'other', consent: () => true })
    const outcomes = [await activate(session), await activate(other)]
    expect(outcomes[0]!.text).not.toBe(outcomes[1]!.text)
    expect(await reminderOf(session, () => false)).toBe(outcomes[0]!.text)
    expect(await reminderOf(other, () => false)).toBe(outcomes[1]!.text)
    await other.end()
    await session.end()
  })

  it('[ACT-5] is handed to the port with every file that was agreed to, hidden ones too, and its run bit', async () => {
    chmodSync(join(base, 'skills/pdf/scripts/run.sh'), 0o755)
    const requests: MountRequest[] = []
    const texts: Record<string, string> = {}
    const mounts = port({
      async mount(request) {
        requests.push(request)
        for (const { path, read } of request.files) texts[path] = new TextDecoder().decode(await read())
        return { path: 'private:/x', location: '/x' }
      },
      unmount: () => Promise.resolve(),
    })
    const { session } = await open({ mounts })
    await activate(session)
    expect(session.state.active[0]!.mount).toStrictEqual({ path: 'private:/x', location: '/x' })
    expect(requests[0]!.files.filter(({ executable }) => executable).map(({ path }) => path)).toEqual(
      process.platform === 'win32' ? [] : ['scripts/run.sh'],
    )
    expect(texts).toEqual({
      'SKILL.md': manifest('pdf'),
      'scripts/run.sh': 'echo run\n',
      'references/guide.md': 'one\ntwo\n',
      '.env': 'KEY=1\n',
    })
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
    await session.step({ tools: HOST })
    const both = await Promise.all(
      ['a', 'b'].map((id) => session.call({ id, tool: 'activate_skill', input: { name: 'pdf' } }, () => 'ran')),
    )
    expect(both[1]!.text).toContain('is already active')
    expect(requests).toMatchObject([{ task: 'task', skill: 'pdf', digest: session.state.active[0]!.digest }])
  })
})

/** What is found in a folder, and a file beside it. */
async function surveyOf(folder: SkillFolder): Promise<FolderSurvey> {
  const files = new Map([
    ['SKILL.md', 'hash'],
    ['../evil', 'hash'],
  ])
  return { digest: 'd', files, whole: true, listing: await folder.list(), manifest: await folder.readManifest() }
}

describe('a mount that cannot be', () => {
  it('[ACT-5] refuses the activation, and nothing is active and nothing run after it', async () => {
    const ran: string[] = []
    const { session } = await open({
      mounts: port({ mount: () => Promise.reject(new Error('disk full')) }),
      scripts: hooksBy(({ script }) => ({ ok: ran.push(script) > 0 })),
    })
    expect(await activate(session, 'csv')).toMatchObject(
      refusal('MOUNT_FAILED', /"csv" was not activated: .*private space of this task\. .*disk full/),
    )
    expect(session.state.active).toEqual([])
    await session.end()
    expect(ran).toEqual([])
  })

  it.each([
    [undefined],
    [null],
    ['private:/x'],
    [{ path: 'private:/x' }],
    [{ path: 'private:/x', location: '' }],
    [{ path: 'private:/x', location: 7 }],
    [{ path: 7, location: '/x' }],
    [{ path: '', location: '/x' }],
  ])('[ACT-5] refuses the activation where the port gives %j', async (given) => {
    const { session } = await open({ mounts: port({ mount: () => Promise.resolve(foreign(given)) }) })
    expect(await activate(session)).toMatchObject(refusal('MOUNT_FAILED', /gave no `path`/))
    expect(session.state.active).toEqual([])
  })

  it('[ACT-5, RES-3] refuses a skill with a file whose path leads out of its folder', async () => {
    const asked: MountRequest[] = []
    const mount: SkillMounts['mount'] = (request) => {
      asked.push(request)
      return Promise.reject(new Error('asked'))
    }
    const found = memorySource({ layer: 'project', skills: { pdf: { 'SKILL.md': manifest('pdf') } } })
    const evil: SkillSource = {
      ...found,
      scan: () =>
        mapped(found, (each) => ({ ...each, folder: { ...each.folder, survey: () => surveyOf(each.folder) } })),
    }
    const { session } = await open({ sources: [evil], mounts: port({ mount }) })
    expect(await activate(session)).toMatchObject(
      refusal('MOUNT_FAILED', /\/pdf\/\.\.\/evil" is not copied: it contains/),
    )
    expect(asked).toEqual([])
  })

  it('[ACT-5, ASK-2] refuses a file that was changed after it was agreed to, and leaves nothing', async () => {
    for (const file of ['scripts/run.sh', 'SKILL.md', '.env']) {
      const original = readFileSync(join(base, 'skills/pdf', file), 'utf8')
      const real = privateMounts({ root })
      const mount: SkillMounts['mount'] = (request) => {
        write(`pdf/${file}`, `${original}evil\n`)
        return real.mount(request)
      }
      const { session } = await open({ mounts: port({ mount }) })
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
    const mount: SkillMounts['mount'] = (request) => {
      rmSync(join(base, 'skills/csv/SKILL.md'))
      symlinkSync(join(secret, 'key'), join(base, 'skills/csv/SKILL.md'))
      return privateMounts({ root }).mount(request)
    }
    const swapped = await open({ mounts: port({ mount }) }, { id: 'other' })
    expect(await activate(swapped.session, 'csv')).toMatchObject(refusal('MOUNT_FAILED', /SKILL\.md/))
    expect(readdirSync(spaces)).toEqual(['task'])
  })

  it('[ACT-5, CAT-10] leaves nothing of a mount that the run is aborted in, and does not wait for it', async () => {
    const begun = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const real = privateMounts({ root })
    const removed = Promise.withResolvers<void>()
    const mounts = port({
      mount: async (request) => {
        const mount = await real.mount(request)
        begun.resolve()
        await go.promise
        return mount
      },
      unmount: (...what) => real.unmount(...what).finally(removed.resolve),
    })
    const { session } = await open({ mounts })
    const stop = new AbortController()
    const outcome = call(session, 'activate_skill', { name: 'pdf' }, stop.signal)
    await begun.promise
    stop.abort(new Error('stopped'))
    await expect(outcome).rejects.toThrow('stopped')
    go.resolve()
    await removed.promise
    expect(below(spaces)).toEqual([])
    expect(session.state.active).toEqual([])
  })

  it('[ACT-5, ACT-7] is reported where a copy cannot be removed, and the task ends all the same', async () => {
    const cause = new Error('busy')
    const asked: unknown[] = []
    const unmount = (...what: readonly unknown[]): never => {
      asked.push(what)
      throw cause
    }
    const { session } = await open({ mounts: port({ unmount }) })
    await activate(session)
    expect(await deactivate(session)).toMatchObject({ ok: true })
    await session.end()
    expect(session.state.ended).toBe(true)
    expect(asked).toEqual([
      ['task', 'pdf'],
      ['task', undefined],
    ])
    expect(problems).toEqual([
      {
        code: 'UNMOUNT_FAILED',
        message: 'The private copy of the skill "pdf" could not be removed. busy',
        skill: 'pdf',
        cause,
      },
      { code: 'UNMOUNT_FAILED', message: 'The private space of a task could not be removed. busy', cause },
    ])
  })
})
