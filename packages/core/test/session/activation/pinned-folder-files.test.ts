import { describe, expect, it } from 'vitest'
import { memorySource } from '../../../src/catalog/memory-source.ts'
import { openRepertoire } from '../../../src/repertoire.ts'
import { createPinnedFolders } from '../../../src/session/activation/pinned-folders.ts'
import type { ActiveSkill } from '../../../src/session/state/state.ts'
import type { SkillFolder } from '../../../src/ports/folder.ts'
import type { Skill } from '../../../src/ports/skill.ts'

const MANIFEST = '---\nname: pdf\ndescription: d\n---\nBody.\n'

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const failure = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown as { readonly code: string; readonly message: string; readonly path?: string },
  )
  return error && { code: error.code, message: error.message, path: error.path }
}

/** A skill that was activated, whose folder reads what `files` holds at the moment, and what was remembered of it. */
async function activated(files: Record<string, string>, more: Partial<SkillFolder> = {}) {
  const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills: { pdf: files } })] })
  const session = repertoire.openSession({ consent: () => true })
  await session.call({ id: 'c', tool: 'activate_skill', input: { name: 'pdf' } }, () => '')
  const active = session.state.active[0]!
  const stored = repertoire.catalog.get('pdf')
  const encoder = new TextEncoder()
  const now: Record<string, string> = { ...files }
  let listed = 0
  const folder: SkillFolder = {
    location: stored.folder.location,
    list: () => {
      listed++
      return stored.folder.list()
    },
    readManifest: () => Promise.resolve(encoder.encode(now['SKILL.md'])),
    // As a file system does where case does not tell two files apart.
    read: (path) => Promise.resolve(encoder.encode(now[path.replace('./', '').toLowerCase()] ?? '')),
    ...more,
  }
  const skill: Skill = { ...stored, folder }
  return { active, now, folder, skill, held: createPinnedFolders(() => skill), listed: () => listed }
}
const WANTS = ' Deactivate "pdf" and activate it again to use it as it is now.'

describe('the folder of an active skill', () => {
  it('[ASK-2, ACT-15] is the one of the catalog where nothing is remembered and it is what was agreed to', async () => {
    const { active, held, folder } = await activated({ 'SKILL.md': MANIFEST, 'a.md': 'a' })
    const opened = await held.open(active)
    expect(opened.location).toBe(folder.location)
    expect(Object.keys(opened)).not.toContain('alias')
    expect(text(await opened.read('a.md'))).toBe('a')
    expect(text(await opened.readManifest())).toBe(MANIFEST)
    expect((await opened.list()).files.map(({ path }) => path).toSorted()).toEqual(['SKILL.md', 'a.md'])
  })

  it('[ASK-2] has the other path by which it is known', async () => {
    const { active, held } = await activated({ 'SKILL.md': MANIFEST }, { alias: '/other' })
    expect((await held.open(active)).alias).toBe('/other')
  })

  it('[ASK-2] is looked through once to be opened, and anew to be verified', async () => {
    const { active, held, listed } = await activated({ 'SKILL.md': MANIFEST, 'a.md': 'a' })
    await held.open(active)
    await held.open(active)
    expect(listed()).toBe(1)
    await held.verify(active)
    await held.verify(active)
    expect(listed()).toBe(3)
  })

  it('[ASK-2] gives no file that has changed, and names it', async () => {
    const { active, held, now, folder } = await activated({ 'SKILL.md': MANIFEST, 'a.md': 'a', 'b.md': 'b' })
    const opened = await held.open(active)
    now['a.md'] = 'evil'
    expect(await failure(opened.read('a.md'))).toEqual({
      code: 'RESOURCE_REFUSED',
      message: `"a.md" of the skill "pdf" has changed since the skill was activated, so it is not what was agreed to.${WANTS}`,
      path: folder.location,
    })
    expect(text(await opened.read('b.md'))).toBe('b')
  })

  it('[ASK-2] gives no file that was not there, even with what another one holds', async () => {
    const { active, held, now } = await activated({ 'SKILL.md': MANIFEST, 'a.md': 'a' })
    const opened = await held.open(active)
    now['new.md'] = 'a'
    expect(await failure(opened.read('new.md'))).toMatchObject({
      code: 'RESOURCE_REFUSED',
      message: `"new.md" was not among the files of the skill "pdf" that were looked at when it was activated, so it is not what was agreed to.${WANTS}`,
    })
  })

  it('[ASK-2] gives a file by another case of its path where it holds the same, and else not', async () => {
    const { active, held, now } = await activated({ 'SKILL.md': MANIFEST, 'a.md': 'a', 'b.md': 'b' })
    const opened = await held.open(active)
    expect(text(await opened.read('A.md'))).toBe('a')
    expect(text(await opened.read('./B.MD'))).toBe('b')
    now['a.md'] = 'b'
    expect(await failure(opened.read('A.md'))).toMatchObject({
      message: expect.stringContaining('"A.md" was not among'),
    })
  })

  it('[ASK-2, ACT-15] is refused where anything in it has changed and nothing is remembered', async () => {
    const { active, held, now, folder } = await activated({ 'SKILL.md': MANIFEST, 'a.md': 'a' })
    now['a.md'] = 'evil'
    const refused = {
      code: 'RESOURCE_REFUSED',
      message: `The folder of the skill "pdf" has changed since the skill was activated, so it is not what was agreed to.${WANTS}`,
      path: folder.location,
    }
    expect(await failure(held.open(active))).toEqual(refused)
    expect(await failure(held.verify(active))).toEqual(refused)
    now['a.md'] = 'a'
    await held.verify(active)
    now['a.md'] = 'evil'
    expect(await failure(held.verify(active))).toEqual(refused)
    // Opened by what was remembered.
    expect(await failure(held.open(active))).toBeUndefined()
  })

  it('[ASK-2] is measured by its survey where it has one', async () => {
    const stored = await activated({ 'SKILL.md': MANIFEST, 'a.md': 'a' })
    const survey = { digest: stored.active.digest, files: new Map([['only.md', 'none']]) }
    const { active, held, listed } = await activated(
      { 'SKILL.md': MANIFEST, 'a.md': 'a' },
      { survey: () => Promise.resolve(survey as never) },
    )
    const opened = await held.open(active)
    expect(listed()).toBe(0)
    expect(await failure(opened.read('only.md'))).toMatchObject({ message: expect.stringContaining('has changed') })
  })

  it('[ASK-2] is what was remembered, whatever the catalog has by then', async () => {
    const { active, folder } = await activated({ 'SKILL.md': MANIFEST, 'a.md': 'a' })
    const gone = createPinnedFolders(() => undefined)
    const files = new Map<string, string>()
    gone.hold(active, { folder, fileName: 'SKILL.md', files })
    expect(await failure(gone.open(active))).toBeUndefined()
    expect(await failure(gone.verify(active))).toBeUndefined()
    const other: ActiveSkill = { ...active, digest: 'other' }
    for (const work of [gone.open(other), gone.verify(other)]) {
      expect(await failure(work)).toMatchObject({
        code: 'RESOURCE_NOT_FOUND',
        message: 'The folder of the skill "pdf" is no longer in the catalog.',
      })
    }
  })

  it('[ASK-2, RES-3] gives hidden files to those who ask for them, and no others', async () => {
    const { active, held } = await activated({ 'SKILL.md': MANIFEST, '.env': 'K' })
    const opened = await held.open(active)
    expect(text(await opened.read('.env', { withheld: true }))).toBe('K')
    expect(await failure(opened.read('.env'))).toMatchObject({ code: 'RESOURCE_REFUSED' })
  })
})

describe('what is remembered of skills', () => {
  const skill = (more: Partial<ActiveSkill>): ActiveSkill => ({
    name: 'pdf',
    layer: 'project',
    source: 's',
    location: '/pdf',
    digest: 'd',
    scripts: [],
    ...more,
  })

  it('[ACT-14] is bounded: texts of 8,000,000 characters, and the last one however long', () => {
    const held = createPinnedFolders(() => undefined)
    const [one, two, three] = ['1', '2', '3'].map((digest) => skill({ digest })) as [
      ActiveSkill,
      ActiveSkill,
      ActiveSkill,
    ]
    held.holdText(one, 'x'.repeat(4_000_000))
    held.holdText(two, 'y'.repeat(4_000_000))
    expect([one, two].map((each) => held.textOf(each)?.length)).toEqual([4_000_000, 4_000_000])
    held.holdText(three, 'z')
    expect([one, two, three].map((each) => held.textOf(each)?.[0])).toEqual([undefined, 'y', 'z'])
    held.holdText(one, 'x'.repeat(8_000_001))
    expect([one, two, three].map((each) => held.textOf(each)?.[0])).toEqual(['x', undefined, undefined])
  })

  it('[ASK-2] is bounded: folders of 50,000 files together', async () => {
    const held = createPinnedFolders(() => undefined)
    const [one, two, three] = ['1', '2', '3'].map((digest) => skill({ digest })) as [
      ActiveSkill,
      ActiveSkill,
      ActiveSkill,
    ]
    const folder = { location: '/pdf' } as SkillFolder
    const files = (count: number) => new Map(Array.from({ length: count }, (_, index) => [String(index), 'h']))
    held.hold(one, { folder, fileName: 'SKILL.md', files: files(25_000) })
    held.hold(two, { folder, fileName: 'SKILL.md', files: files(25_000) })
    const isHeld = async (each: ActiveSkill) => (await failure(held.open(each))) === undefined
    expect([await isHeld(one), await isHeld(two)]).toEqual([true, true])
    held.hold(three, { folder, fileName: 'SKILL.md', files: files(1) })
    expect([await isHeld(one), await isHeld(two), await isHeld(three)]).toEqual([false, true, true])
  })

  it('[ACT-14] is the skill that the catalog has now', () => {
    const found = { name: 'pdf' } as Skill
    const asked: unknown[] = []
    const held = createPinnedFolders((each) => {
      asked.push(each)
      return found
    })
    const active = skill({})
    expect(held.skillOf(active)).toBe(found)
    expect(asked).toEqual([active])
  })
})
