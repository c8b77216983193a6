import { describe, expect, it } from 'vitest'
import type { MountRequest, SessionProblem, SkillFolder, SkillMounts } from '../../../src/index.ts'
import type { ActiveSkill } from '../../../src/adapter.ts'
import { mountSkill, unmountSkill } from '../../../src/session/activation/mount.ts'
import { foreign } from '../../foreign.ts'
import { activeSkill } from '../active-skill.ts'

const skill = (name: string, location?: string): ActiveSkill =>
  activeSkill(name, location === undefined ? {} : { mount: { path: `private:/.skills/${name}`, location } })

const PORTS = { loadTimeout: 1_000, reportProblem: () => undefined }
const mountingOf = (mounted: Parameters<typeof mountSkill>[2]['mounted']) => ({
  skill: skill('pdf'),
  mounted,
  isUnwanted: () => true,
  signal: undefined,
})

describe('what keeps a private copy from being removed', () => {
  it('[ACT-5] is a problem, of one skill or of the whole task', async () => {
    const problems: SessionProblem[] = []
    const cause = new Error('busy')
    const asked: unknown[] = []
    const mounts: SkillMounts = {
      mount: () => Promise.reject(cause),
      unmount(...what) {
        asked.push(what)
        throw cause
      },
    }
    const context = {
      mounts,
      loadTimeout: 1_000,
      reportProblem: (problem: SessionProblem) => void problems.push(problem),
    }
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
    const reportProblem = (): never => {
      throw new Error('a problem was reported')
    }
    await expect(
      unmountSkill({ mounts: undefined, loadTimeout: 1_000, reportProblem }, 'task', 'pdf'),
    ).resolves.toBeUndefined()
  })
})

describe('a private copy', () => {
  /** Mounts a skill of files that are given by whether they have a run bit. */
  async function mounted(
    listed: Readonly<Record<string, boolean>>,
    hidden: Readonly<Record<string, boolean>>,
    mount: unknown = { path: 'private:/x', location: '/x', more: 1 },
  ) {
    const entries = (files: Readonly<Record<string, boolean>>) => ({
      files: Object.entries(files).map(([path, executable]) => ({ path, executable, size: 1 })),
      truncated: false,
      refused: [],
    })
    const listing = { ...entries(listed), withheld: entries(hidden) }
    const read: unknown[] = []
    const requests: MountRequest[] = []
    const folder: SkillFolder = {
      location: '/skills/pdf',
      readManifest: () => Promise.reject(new Error('not asked for')),
      list: () => Promise.resolve(listing),
      read(...asked) {
        read.push(asked)
        return Promise.resolve(new Uint8Array([7]))
      },
    }
    const mounts: SkillMounts = {
      mount(request) {
        requests.push(request)
        return Promise.resolve(foreign(mount))
      },
      unmount: () => Promise.resolve(),
    }
    const context = { ...PORTS, mounts, pinnedFolders: { open: () => Promise.resolve(folder) } }
    const files = new Map(Object.keys({ ...listed, ...hidden }).map((path) => [path, 'hash']))
    const mountedFolder = { skill: { location: '/skills/pdf' }, listing, files }
    return { outcome: await mountSkill(context, 'task', mountingOf(mountedFolder)), requests, read }
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
        reason: expect.stringContaining('"/skills/pdf/../evil" is not a path inside a skill') as string,
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
    const pinnedFolders = { open: () => Promise.reject(new Error('opened')) }
    const listing = { files: [], withheld: { files: [], truncated: false, refused: [] } }
    const mountedFolder = { skill: { location: '/skills/pdf' }, listing, files: new Map<string, string>() }
    const context = { ...PORTS, mounts: undefined, pinnedFolders }
    expect(await mountSkill(context, 'task', mountingOf(mountedFolder))).toBeUndefined()
  })
})
