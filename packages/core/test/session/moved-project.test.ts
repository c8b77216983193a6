import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  openRepertoire,
  type Outcome,
  type Repertoire,
  type SavedSession,
  type SessionProblem,
  type SkillSource,
} from '@repertoire/core'
import { directorySource, openSkills, standardSources } from '@repertoire/core/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openAdapterSession, type AdapterSession } from '../../src/adapter.ts'

const MANIFEST = '---\nname: pdf\ndescription: Fills forms.\nallowed-tools: Read Bash\n---\nFill the form.\n'
const ACTIVATE = { id: 'c1', tool: 'activate_skill', input: { name: 'pdf' } }

interface Release {
  readonly project: string
  readonly skill: string
}

function release(parent: string, name: string): Release {
  const project = join(parent, name)
  return { project, skill: join(project, '.agents/skills/pdf') }
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Two folders for releases of one project; the second one is a copy that is made when it is asked for. */
function releases(): { readonly first: Release; readonly second: () => Release } {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-moved-')))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  const first = release(parent, 'release-1')
  put(join(first.skill, 'SKILL.md'), MANIFEST)
  put(join(first.skill, 'guide.md'), 'The guide.')
  put(join(first.skill, 'scripts/run.sh'), '#!/bin/sh\necho hi\n')
  const second = (): Release => {
    const moved = release(parent, 'release-2')
    cpSync(first.project, moved.project, { recursive: true })
    // As a host does that keeps the newest release alone.
    rmSync(first.project, { recursive: true })
    return moved
  }
  return { first, second }
}

const standard = ({ project }: Release): SkillSource[] => standardSources({ project, enterprise: false })

const open = (sources: readonly SkillSource[]): Promise<Repertoire> =>
  openRepertoire({ sources, sessionSecret: 'a key of the host' })

const call = (session: AdapterSession, tool: string, input: Record<string, unknown>): Promise<Outcome> =>
  session.call({ id: `c${Math.random()}`, tool, input }, () => 'ran')

/** A session that has asked for consent, saved. */
async function asked(sources: readonly SkillSource[]): Promise<{ saved: SavedSession; requestId: string }> {
  const session = openAdapterSession(await open(sources), { id: 'task' })
  const request = (await (await session.step({ tools: ['Read', 'Bash'] })).preview(ACTIVATE, { asks: true })).waits
  return { saved: session.save(), requestId: request!.id }
}

describe('a saved session whose project has been moved', () => {
  it('[ASK-2] uses the answer to a request that was made in the former folder', async () => {
    const { first, second } = releases()
    const { saved, requestId } = await asked(standard(first))
    const session = openAdapterSession(await open(standard(second())), { saved })
    await session.step({ tools: ['Read', 'Bash'] })
    session.answer({ requestId, approved: true })
    expect(await session.call(ACTIVATE, () => undefined)).toMatchObject({ ok: true })
  })

  it('[ASK-2] refuses the answer if a file has changed on the way', async () => {
    for (const file of ['SKILL.md', 'guide.md', 'scripts/run.sh', '.hidden']) {
      const { first, second } = releases()
      const { saved, requestId } = await asked(standard(first))
      const moved = second()
      put(join(moved.skill, file), file === 'SKILL.md' ? `${MANIFEST}More.\n` : 'changed')
      const session = openAdapterSession(await open(standard(moved)), { saved })
      session.answer({ requestId, approved: true })
      expect(await session.call(ACTIVATE, () => undefined)).toMatchObject({
        ok: false,
        refusal: { code: 'CONSENT_DENIED', reason: expect.stringContaining('before it changed') as string },
      })
    }
  })

  it('[ASK-2, GATE-4] goes on with its active skills in the new folder, and guards their scripts there', async () => {
    const { first, second } = releases()
    const before = openAdapterSession(await open(standard(first)), { id: 'task', consent: () => true })
    expect(await call(before, 'activate_skill', { name: 'pdf' })).toMatchObject({ ok: true })
    const saved = before.save()
    const moved = second()
    const asks: unknown[] = []
    const session = openAdapterSession(await open(standard(moved)), {
      saved,
      consent: (request) => asks.push(request) > 0,
    })
    await session.step({ tools: ['Read', 'Bash'] })
    expect(session.state.active).toMatchObject([{ name: 'pdf', location: moved.skill }])
    const read = await call(session, 'read_skill_resource', { skill: 'pdf', path: 'guide.md' })
    expect(read).toMatchObject({ ok: true, text: expect.stringContaining('The guide.') as string })
    expect(await call(session, 'Read', { file_path: join(moved.skill, 'scripts/run.sh') })).toMatchObject({
      ok: false,
      refusal: { code: 'SCRIPT_READ_BLOCKED' },
    })
    // What was agreed to holds for the same content.
    expect(await call(session, 'deactivate_skill', { name: 'pdf' })).toMatchObject({ ok: true })
    expect(await call(session, 'activate_skill', { name: 'pdf' })).toMatchObject({ ok: true })
    expect(asks).toEqual([])
  })

  it('[ASK-2] reads nothing of an active skill that has changed on the way, and asks about it again', async () => {
    const { first, second } = releases()
    const before = openAdapterSession(await open(standard(first)), { id: 'task', consent: () => true })
    await call(before, 'activate_skill', { name: 'pdf' })
    const saved = before.save()
    const moved = second()
    put(join(moved.skill, 'guide.md'), 'Another guide.')
    const asks: unknown[] = []
    const session = openAdapterSession(await open(standard(moved)), {
      saved,
      consent: (request) => asks.push(request) < 0,
    })
    await session.step({ tools: ['Read', 'Bash'] })
    expect(await call(session, 'read_skill_resource', { skill: 'pdf', path: 'guide.md' })).toMatchObject({
      ok: false,
      refusal: { code: 'RESOURCE_REFUSED' },
    })
    await call(session, 'deactivate_skill', { name: 'pdf' })
    expect(await call(session, 'activate_skill', { name: 'pdf' })).toMatchObject({ ok: false })
    expect(asks).toHaveLength(1)
  })

  it('[ASK-2] needs its own id for a source with an absolute root, and says so', async () => {
    const sourceOf = ({ project }: Release, id?: string) => [
      directorySource({ root: join(project, '.agents/skills'), layer: 'project', id }),
    ]
    for (const id of [undefined, 'skills of this app']) {
      const { first, second } = releases()
      const { saved, requestId } = await asked(sourceOf(first, id))
      const session = openAdapterSession(await open(sourceOf(second(), id)), { saved })
      session.answer({ requestId, approved: true })
      const outcome = await session.call(ACTIVATE, () => undefined)
      if (id !== undefined) expect(outcome).toMatchObject({ ok: true })
      else {
        expect(outcome).toMatchObject({
          refusal: { code: 'CONSENT_DENIED', reason: expect.stringContaining('skill of another source') as string },
        })
      }
    }
  })

  it('[ASK-2] keeps consent in a folder that `openSkills` opens with an `id`', async () => {
    const { first, second } = releases()
    const openRelease = ({ project }: Release): Promise<Repertoire> =>
      openSkills(join(project, '.agents/skills'), { id: 'my-app', sessionSecret: 'a key of the host' })
    const before = openAdapterSession(await openRelease(first), { id: 'task', consent: () => true })
    expect(await call(before, 'activate_skill', { name: 'pdf' })).toMatchObject({ ok: true })
    const saved = before.save()
    const moved = second()
    const asks: unknown[] = []
    const session = openAdapterSession(await openRelease(moved), {
      saved,
      consent: (request) => asks.push(request) < 0,
    })
    await session.step({ tools: ['Read', 'Bash'] })
    expect(session.state.active).toMatchObject([{ name: 'pdf', source: 'my-app', location: moved.skill }])
    expect(await call(session, 'deactivate_skill', { name: 'pdf' })).toMatchObject({ ok: true })
    expect(await call(session, 'activate_skill', { name: 'pdf' })).toMatchObject({ ok: true })
    expect(asks).toEqual([])
  })

  it('[FRONT-5] reports once that an active skill is of a source that has another id now', async () => {
    const sourceOf = ({ project }: Release) => [directorySource({ root: join(project, '.agents/skills') })]
    const { first, second } = releases()
    const before = openAdapterSession(await open(sourceOf(first)), { id: 'task', consent: () => true })
    await call(before, 'activate_skill', { name: 'pdf' })
    const saved = before.save()
    const moved = second()
    const repertoire = await open(sourceOf(moved))
    const problems: SessionProblem[] = []
    for (let times = 0; times < 2; times++) {
      openAdapterSession(repertoire, { saved, onProblem: (problem) => void problems.push(problem) })
    }
    expect(problems).toMatchObject([{ code: 'SAVED_SKILL_MISSING' }])
    const [{ message }] = problems as [SessionProblem]
    expect(message).toContain(`"pdf" of the source "directory:${first.skill.slice(0, -4)}"`)
    expect(message).toContain(`there is one of the source "directory:${moved.skill.slice(0, -4)}"`)
    expect(message).toContain("openSkills(folder, { id: 'my-skills' }) or directorySource({ root, id: 'my-skills' })")
  })
})

it('[ASK-2, FRONT-5] an answer to a session that was not saved after it had asked is told from nobody to ask', async () => {
  const { first } = releases()
  const { requestId } = await asked(standard(first))
  const problems: SessionProblem[] = []
  const repertoire = await open(standard(first))
  const session = openAdapterSession(repertoire, { id: 'task', onProblem: (problem) => void problems.push(problem) })
  session.answer({ requestId, approved: true })
  expect(await session.call(ACTIVATE, () => undefined)).toMatchObject({
    refusal: {
      code: 'CONSENT_DENIED',
      reason:
        'The skill "pdf" was not activated: the answer was for a request that this session does not have. Make the same call again, which asks for consent to its folder as it is now.',
    },
  })
  expect(problems).toMatchObject([
    { code: 'ANSWER_UNKNOWN', message: expect.stringContaining('session.save()') as string },
  ])
  const silent = openAdapterSession(repertoire, { id: 'other' })
  expect(await silent.call(ACTIVATE, () => undefined)).toMatchObject({
    refusal: { reason: expect.stringContaining('nobody could be asked') as string },
  })
})
