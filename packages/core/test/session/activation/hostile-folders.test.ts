import { describe, expect, it } from 'vitest'
import { openAdapterSession } from '../../../src/adapter.ts'
import { type FolderListing, type SkillSource, memorySource, openRepertoire } from '../../../src/index.ts'
import { HOST, manifest, skills, listing, source, open, activation, run } from '../hostile-world.ts'
import { code } from '../outcome.ts'
import { mapped } from '../../mapped-source.ts'

describe('folders that cannot be seen whole', () => {
  const cut: readonly (readonly [string, (listed: FolderListing) => FolderListing])[] = [
    ['whose listing is cut', (listed) => ({ ...listed, truncated: true })],
    ['with a link', (listed) => ({ ...listed, refused: [{ path: 'scripts/lib.sh', reason: 'a link' }] })],
    [
      'with more hidden files than are looked at',
      (listed) => ({ ...listed, withheld: { ...listed.withheld, truncated: true } }),
    ],
    [
      'with a hidden link',
      (listed) => ({ ...listed, withheld: { ...listed.withheld, refused: [{ path: '.l', reason: 'a link' }] } }),
    ],
    [
      'with a file that is gone',
      (listed) => ({ ...listed, files: [...listed.files, { path: 'x', size: 1, executable: false }] }),
    ],
  ]

  it.each(cut)('[ASK-2, ASK-5] activates a skill %s after a yes, for this activation alone', async (_, change) => {
    const repertoire = await openRepertoire({ sources: [listing(source, change)] })
    const session = openAdapterSession(repertoire, { hostTools: HOST })
    for (const id of ['first', 'second']) {
      const request = (await session.preview(activation('free', id), { asks: true })).waits
      expect(request?.text).toContain('for this activation alone')
      session.answer({ requestId: request!.id, approved: true })
      expect(code(await run(session, activation('free', id)))).toBe('ok')
      await run(session, { id: `${id}-left`, tool: 'deactivate_skill', input: {} })
    }
    expect(session.state.granted).toEqual([])
  })

  it('[ASK-2, ASK-5] asks again where less of the same content can be seen than at the first yes', async () => {
    let isCut = false
    const found = listing(source, (listed) => ({ ...listed, truncated: isCut }))
    const session = openAdapterSession(await openRepertoire({ sources: [found] }), { hostTools: HOST })
    const first = (await session.preview(activation('free', 'first'), { asks: true })).waits
    session.answer({ requestId: first!.id, approved: true })
    await run(session, activation('free', 'first'))
    await run(session, { id: 'left', tool: 'deactivate_skill', input: {} })
    expect((await session.preview(activation('free', 'second'), { asks: true })).waits).toBeUndefined()
    isCut = true
    expect((await session.preview(activation('free', 'third'), { asks: true })).waits?.digest).toBe(first!.digest)
  })

  it('[ASK-2, ABUSE-92] asks again where a file got a run bit', async () => {
    const digests = await Promise.all(
      [true, false, false].map(async (bit) => {
        const found = listing(memorySource({ layer: 'project', skills }), (listed) => ({
          ...listed,
          files: listed.files.map((file) => ({ ...file, executable: bit && file.path === 'notes.md' })),
        }))
        const repertoire = await openRepertoire({ sources: [found] })
        return (await openAdapterSession(repertoire).preview(activation('free'), { asks: true })).waits?.digest
      }),
    )
    expect(digests[0]).not.toBe(digests[1])
    expect(digests[1]).toBe(digests[2])
  })

  it('[ASK-2] binds consent to the manifest though the listing has lost it', async () => {
    const digests = await Promise.all(
      ['Read', 'Bash', 'Bash'].map(async (tool) => {
        const found = memorySource({
          layer: 'project',
          skills: { a: { 'SKILL.md': manifest('a', `allowed-tools: ${tool}\n`) } },
        })
        const repertoire = await openRepertoire({ sources: [listing(found, (listed) => ({ ...listed, files: [] }))] })
        return (await openAdapterSession(repertoire).preview(activation('a'), { asks: true })).waits?.digest
      }),
    )
    expect(digests[0]).not.toBe(digests[1])
    expect(digests[1]).toBe(digests[2])
  })
})

describe('sources that fail in their own ways', () => {
  /** A source whose folders throw in one of their functions, once the skills are found. */
  const failing = (name: 'readManifest' | 'list' | 'read', thrown: unknown): SkillSource => ({
    ...source,
    scan: () =>
      mapped(source, (found) => ({ ...found, folder: { ...found.folder, [name]: () => Promise.reject(thrown) } })),
  })
  const thrown = [
    ['an error', new Error('The store is away.'), 'The store is away.'],
    ['no error', 'The store is away.', 'The store is away.'],
    ['a very long one', new Error('x'.repeat(5_000)), `${'x'.repeat(1_000)}…`],
    ['what has no text', Object.create(null) as unknown, 'cannot be shown'],
  ] as const

  it.each(thrown)('[ABUSE-106] refuses an activation where the folder throws %s', async (_, error, text) => {
    for (const name of ['readManifest', 'list', 'read'] as const) {
      const session = await open({}, { sources: [failing(name, error)] })
      const outcome = await run(session, activation('free'))
      expect(outcome).toMatchObject({ ok: false, refusal: { code: 'SKILL_BROKEN' } })
      expect(outcome.ok ? '' : outcome.refusal.detail).toContain(text)
      expect(outcome.text).not.toContain(text)
      expect(outcome.text?.length).toBeLessThan(1_200)
      const suspending = openAdapterSession(await openRepertoire({ sources: [failing(name, error)] }))
      expect((await suspending.preview(activation('free'), { asks: true })).waits).toBeUndefined()
    }
  })

  it.each(thrown)('[RES-2] refuses to read a resource where the folder throws %s', async (_, error, text) => {
    const first = await open({ id: 's' })
    await run(first, activation('free'))
    const session = await open({ id: 's', saved: first.save() }, { sources: [failing('read', error)] })
    const outcome = await run(session, { id: '2', tool: 'read_skill_resource', input: { path: 'notes.md' } })
    expect(outcome).toMatchObject({ ok: false, refusal: { code: 'RESOURCE_REFUSED' } })
    expect(outcome.ok ? '' : outcome.refusal.detail).toContain(text)
    expect(outcome.text).not.toContain(text)
  })
})
