import { afterEach, expect, it, vi } from 'vitest'
import { openAdapterSession } from '../../src/adapter.ts'
import { type Layer, type SkillSource, memorySource, openRepertoire } from '../../src/index.ts'
import { nearestNames } from '../../src/stores.ts'
import { mapped } from '../mapped-source.ts'
import { hooksBy } from '../session/hook-runner.ts'

const text = (name: string, fields = ''): string => `---\nname: ${name}\ndescription: Does.\n${fields}---\nBody.\n`
const sources = [
  memorySource({
    layer: 'project',
    skills: {
      plain: { 'SKILL.md': text('plain') },
      hooked: { 'SKILL.md': text('hooked', 'hooks: { pre: [a.sh] }\n'), 'a.sh': '' },
    },
  }),
]
const never = (): Promise<never> => new Promise(() => {})
const ACTIVATION = { id: 'c', tool: 'activate_skill', input: {} }

afterEach(() => {
  vi.useRealTimers()
})

/** Whether a promise is settled at a time of the fake clock, in milliseconds, and a moment before it. */
async function settledAt(work: Promise<unknown>, ms: number): Promise<readonly boolean[]> {
  let settled = false
  void work.finally(() => (settled = true)).catch(() => undefined)
  await vi.advanceTimersByTimeAsync(ms - 1)
  const before = settled
  await vi.advanceTimersByTimeAsync(1)
  return [before, settled]
}

it('[ASK-2] waits 5 minutes for an answer where the host says nothing, and no longer', async () => {
  const repertoire = await openRepertoire({ sources })
  const session = repertoire.openSession({ consent: never })
  vi.useFakeTimers()
  const call = session.call({ ...ACTIVATION, input: { name: 'plain' } }, () => '')
  expect(await settledAt(call, 5 * 60_000)).toEqual([false, true])
  expect(await call).toMatchObject({ ok: false, refusal: { code: 'CONSENT_DENIED' } })
})

it('[ACT-13] waits 60 seconds for a hook where the host says nothing, and 5 for its runner to end it', async () => {
  const repertoire = await openRepertoire({ sources, scripts: hooksBy(never) })
  const session = repertoire.openSession({ consent: () => true })
  vi.useFakeTimers()
  const call = session.call({ ...ACTIVATION, input: { name: 'hooked' } }, () => '')
  expect(await settledAt(call, 65_000)).toEqual([false, true])
  expect(await call).toMatchObject({ ok: false, refusal: { code: 'HOOK_FAILED' } })
})

it('[CAT-10] waits 30 seconds for a folder where the host says nothing, and no longer', async () => {
  const [source] = sources
  const stuck: SkillSource = {
    ...source!,
    scan: () => mapped(source!, (found) => ({ ...found, folder: { ...found.folder, readManifest: never } })),
  }
  const repertoire = await openRepertoire({ sources: [stuck] })
  const session = repertoire.openSession({ consent: () => true })
  vi.useFakeTimers()
  const call = session.call({ ...ACTIVATION, input: { name: 'plain' } }, () => '')
  expect(await settledAt(call, 30_000)).toEqual([false, true])
  expect(await call).toMatchObject({ ok: false, refusal: { code: 'SKILL_BROKEN' } })
})

it('[OBS-3] waits 5 seconds for a sink that is required where the host says nothing, and no longer', async () => {
  const repertoire = await openRepertoire({ sources, audit: { sink: { write: never }, required: true } })
  const session = openAdapterSession(repertoire, { consent: () => true, hostTools: ['Read'] })
  vi.useFakeTimers()
  const call = session.call({ id: 'c', tool: 'Read', input: { file_path: 'a' } }, () => 'ran')
  const [first, second] = [await settledAt(call, 5_000), await settledAt(call, 5_000)]
  expect([first[0], second[1]]).toEqual([false, true])
  expect(await call).toMatchObject({ ok: false, refusal: { code: 'AUDIT_UNAVAILABLE' } })
})

it('[CAT-1] lets enterprise win over personal, then project, then plugin, then bundled, whatever their order', async () => {
  const layers: readonly Layer[] = ['enterprise', 'personal', 'project', 'plugin', 'bundled']
  for (let first = 0; first < layers.length; first++) {
    const left = layers.slice(first).toReversed()
    const skills = { same: { 'SKILL.md': text('same', 'priority: 1\n') } }
    const opened = await openRepertoire({ sources: left.map((layer) => memorySource({ id: layer, layer, skills })) })
    expect((await opened.load('same')).skill.layer).toBe(layers[first])
  }
})

it('[CAT-2] names the nearest first, however the names are given', () => {
  const names = ['axport', 'xeport', 'kubernetes', 'reqort']
  for (const given of [names, names.toReversed()]) {
    expect(nearestNames('report', given)).toEqual(['reqort', 'xeport', 'axport'])
    expect(nearestNames('report', given, 1)).toEqual(['reqort'])
  }
})
