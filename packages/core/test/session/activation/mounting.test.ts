import { describe, expect, it } from 'vitest'
import type { SessionContext } from '../../../src/session/context.ts'
import { insideMount, mountSkill, resolvePrivatePath, unmountSkill } from '../../../src/session/activation/mounting.ts'
import type { InspectedSkill } from '../../../src/session/activation/inspect.ts'
import type { ActiveSkill } from '../../../src/session/state/state.ts'
import type { MountRequest } from '../../../src/ports/mount.ts'
import type { SessionProblem } from '../../../src/ports/problem.ts'

const skill = (name: string, location?: string): ActiveSkill => ({
  name,
  layer: 'project',
  source: 's',
  location: `/skills/${name}`,
  digest: 'd',
  scripts: [],
  ...(location !== undefined && { mount: { path: `private:/.skills/${name}`, location } }),
})

/** What it gives, or the code and message that it is refused with. */
function resolve(path: string, ...active: readonly ActiveSkill[]): string {
  try {
    return resolvePrivatePath(path, active)
  } catch (error) {
    const { code, message } = error as { readonly code: string; readonly message: string }
    return `${code}: ${message}`
  }
}

describe('the real path of a private one', () => {
  it.each([
    ['/tasks/1/pdf', '/tasks/1/pdf/references/guide.md'],
    ['/tasks/1/pdf/', '/tasks/1/pdf/references/guide.md'],
    ['/tasks/1/pdf//', '/tasks/1/pdf/references/guide.md'],
    ['/tasks/C:\\pdf', '/tasks/C:\\pdf/references/guide.md'],
    ['C:\\tasks\\pdf', 'C:\\tasks\\pdf\\references\\guide.md'],
    ['d:\\tasks\\pdf\\', 'd:\\tasks\\pdf\\references\\guide.md'],
    ['\\\\server\\share\\pdf', '\\\\server\\share\\pdf\\references\\guide.md'],
    ['/tasks/\\\\x/pdf', '/tasks/\\\\x/pdf/references/guide.md'],
  ])('[ACT-5] is in the folder %j, written as that is', (location, real) => {
    expect(resolve('private:/.skills/pdf/references/guide.md', skill('pdf', location))).toBe(real)
    expect(resolve('private:/.skills/pdf/./references/./guide.md', skill('pdf', location))).toBe(real)
    expect(resolve('private:/.skills/pdf', skill('pdf', location))).toBe(location)
    expect(resolve('private:/.skills/pdf/', skill('pdf', location))).toBe(location)
  })

  it('[ACT-5] is that of the skill whose private folder it names', () => {
    const active = [skill('plain'), skill('pdf', '/1/pdf'), skill('pdf-more', '/1/more')]
    expect(resolve('private:/.skills/pdf-more/a.md', ...active)).toBe('/1/more/a.md')
    expect(resolve('private:/.skills/pdf/a.md', ...active)).toBe('/1/pdf/a.md')
  })

  it('[ACT-5] is any other path as it is', () => {
    const mounted = { ...skill('pdf', '/1/pdf'), mount: { path: '/private/pdf', location: '/1/pdf' } }
    for (const path of ['/private/pdf2/a', '/x', 'a/../b', 'a\\b', '', 'x private:/a', 'privat:/a'])
      expect(resolve(path, mounted)).toBe(path)
    expect(resolve('/private/pdf/a', mounted)).toBe('/1/pdf/a')
  })

  it('[ACT-5, RES-3] is none where it may lead out of the folder, and what to pass is said', () => {
    const usage = 'Pass one such as "private:/.skills/name/references/guide.md".'
    for (const path of ['private:/.skills/csv/../pdf/a', 'private:\\.skills\\pdf', ' PRIVATE:/..']) {
      expect(resolve(path, skill('pdf', '/1/pdf'))).toBe(
        `RESOURCE_PATH_INVALID: ${JSON.stringify(path)} is no path inside a skill's private folder: it may lead out of it. ${usage}`,
      )
    }
    expect(resolve('private:/.skills/pdf/../a', skill('pdf', '/1/pdf'))).toBe(
      `RESOURCE_PATH_INVALID: "private:/.skills/pdf/../a" is no path inside a skill's private folder: it climbs with "..". ${usage}`,
    )
  })

  it('[ACT-5] is none where no skill is mounted there, and those that are, are named', () => {
    const path = 'private:/.skills/csv/a.md'
    const none = `RESOURCE_NOT_FOUND: "${path}" is in no private folder of an active skill.`
    expect(resolve(path)).toBe(`${none} No active skill has a private folder.`)
    expect(resolve(path, skill('plain'))).toBe(`${none} No active skill has a private folder.`)
    expect(resolve(path, skill('pdf', '/1/pdf'), skill('plain'), skill('tex', '/1/tex'))).toBe(
      `${none} There are: private:/.skills/pdf, private:/.skills/tex.`,
    )
  })
})

describe('the path inside a private copy', () => {
  it('[ACT-5] is what stands behind the folder’s', () => {
    const pdf = skill('pdf', '/1/pdf')
    expect(insideMount('private:/.skills/pdf/a/b.md', pdf)).toBe('a/b.md')
    for (const path of ['private:/.skills/pdf', 'private:/.skills/pdf2/a', 'a/b.md'])
      expect(insideMount(path, pdf)).toBeUndefined()
    expect(insideMount('private:/.skills/pdf/a', skill('pdf'))).toBeUndefined()
  })
})

describe('what keeps a private copy from being removed', () => {
  it('[ACT-5] is a problem, of one skill or of the whole task', async () => {
    const problems: SessionProblem[] = []
    const cause = new Error('busy')
    const asked: unknown[] = []
    const context = {
      mounts: {
        unmount(...what: readonly unknown[]) {
          asked.push(what)
          throw cause
        },
      },
      problem: (problem: SessionProblem) => void problems.push(problem),
    } as unknown as SessionContext
    await unmountSkill(context, 'task', 'pdf')
    await unmountSkill(context, 'task')
    expect(asked).toEqual([
      ['task', 'pdf'],
      ['task', undefined],
    ])
    expect(problems).toStrictEqual([
      {
        code: 'UNMOUNT_FAILED',
        message: 'The private copy of the skill "pdf" could not be removed. busy',
        skill: 'pdf',
        cause,
      },
      { code: 'UNMOUNT_FAILED', message: 'The private space of a task could not be removed. busy', cause },
    ])
  })

  it('[ACT-5] is nothing where there are no mounts', async () => {
    const problem = (): never => {
      throw new Error('told of a problem')
    }
    const context = { mounts: undefined, problem } as unknown as SessionContext
    await expect(unmountSkill(context, 'task', 'pdf')).resolves.toBeUndefined()
  })
})

describe('a private copy', () => {
  /** Mounts a skill of files that are given by whether they have a run bit. */
  async function mounted(
    listed: Readonly<Record<string, boolean>>,
    hidden: Readonly<Record<string, boolean>>,
    gives: unknown = { path: 'private:/x', location: '/x', more: 1 },
  ) {
    const entries = (files: Readonly<Record<string, boolean>>) =>
      Object.entries(files).map(([path, executable]) => ({ path, executable, size: 1 }))
    const read: unknown[] = []
    const requests: MountRequest[] = []
    const folder = {
      read: (...asked: readonly unknown[]) => {
        read.push(asked)
        return Promise.resolve(new Uint8Array([7]))
      },
    }
    const context = {
      held: { open: () => Promise.resolve(folder) },
      mounts: {
        mount(request: MountRequest) {
          requests.push(request)
          return gives
        },
      },
    } as unknown as SessionContext
    const prepared = {
      skill: { name: 'pdf', location: '/skills/pdf' },
      listing: { files: entries(listed), withheld: { files: entries(hidden) } },
      files: new Map(Object.keys({ ...listed, ...hidden }).map((path) => [path, 'hash'])),
    } as unknown as InspectedSkill
    return { outcome: await mountSkill(context, 'task', skill('pdf'), prepared), requests, read }
  }

  it('[ACT-5] has every file that was agreed to, hidden ones too, with its run bit, each read as it was then', async () => {
    const { outcome, requests, read } = await mounted({ 'a.md': false, 'run.sh': true }, { '.env': false, '.go': true })
    expect(outcome).toEqual({ path: 'private:/x', location: '/x' })
    expect(requests).toMatchObject([{ task: 'task', skill: 'pdf', digest: 'd' }])
    expect(requests[0]!.files.map(({ path, executable }) => [path, executable])).toEqual([
      ['a.md', false],
      ['run.sh', true],
      ['.env', false],
      ['.go', true],
    ])
    expect(await requests[0]!.files[2]!.read()).toEqual(new Uint8Array([7]))
    expect(read).toEqual([['.env', { maxBytes: 64 * 1024 * 1024, withheld: true }]])
  })

  it('[ACT-5, RES-3] is not made of a file whose path leads out of it', async () => {
    const { outcome, requests } = await mounted({ '../evil': false }, {})
    expect(requests).toEqual([])
    expect(outcome).toMatchObject({
      refusal: {
        code: 'MOUNT_FAILED',
        reason: expect.stringContaining('"/skills/pdf/../evil" is no path inside a skill') as string,
      },
    })
  })

  it.each([
    [{ path: 'private:/x', location: '' }],
    [{ path: 'private:/x', location: 7 }],
    [{ path: 7, location: '/x' }],
    [{ path: '', location: '/x' }],
    ['private:/x'],
    [null],
  ])('[ACT-5] is none where the port gives %j', async (given) => {
    expect((await mounted({ 'a.md': false }, {}, given)).outcome).toMatchObject({
      ok: false,
      refusal: {
        code: 'MOUNT_FAILED',
        reason:
          'The skill "pdf" was not activated: it could not be put into the private space of this task. `mounts.mount` gave no `path` or no `location`.',
      },
    })
  })

  it('[ACT-5] is not made where the host has no mounts', async () => {
    const context = { mounts: undefined } as unknown as SessionContext
    expect(await mountSkill(context, 'task', skill('pdf'), undefined as never)).toBeUndefined()
  })
})
