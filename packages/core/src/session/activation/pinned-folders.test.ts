import { openAdapterSession } from '../../adapter.ts'
// An algorithm without its own entry point, tested beside its source.
import { describe, expect, it } from 'vitest'
import { activeSkill } from '../../../test/session/active-skill.ts'
import { type Skill, type SkillFolder, memorySource, openRepertoire } from '../../index.ts'
import type { ActiveSkill } from '../state/state.ts'
import { createPinnedFolders } from './pinned-folders.ts'

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
  const session = openAdapterSession(repertoire, { consent: () => true })
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
  return { active, now, folder, skill, pinned: createPinnedFolders(() => skill), listed: () => listed }
}
const WANTS = ' Deactivate "pdf" and activate it again to use it as it is now.'

describe('the folder of an active skill', () => {
  it('[ASK-2, ACT-15] is read from the catalog if nothing is remembered and it is still what was agreed to', async () => {
    const { active, pinned, folder } = await activated({ 'SKILL.md': MANIFEST, 'a.md': 'a' })
    const opened = await pinned.open(active)
    expect(opened.location).toBe(folder.location)
    expect(opened.alias).toBeUndefined()
    expect(text(await opened.read('a.md'))).toBe('a')
    expect(text(await opened.readManifest())).toBe(MANIFEST)
    expect((await opened.list()).files.map(({ path }) => path).toSorted()).toEqual(['SKILL.md', 'a.md'])
  })

  it('[ASK-2] keeps the alias of its folder', async () => {
    const { active, pinned } = await activated({ 'SKILL.md': MANIFEST }, { alias: '/other' })
    expect((await pinned.open(active)).alias).toBe('/other')
  })

  it('[ASK-2] is listed once to be opened, and again for each verification', async () => {
    const { active, pinned, listed } = await activated({ 'SKILL.md': MANIFEST, 'a.md': 'a' })
    await pinned.open(active)
    await pinned.open(active)
    expect(listed()).toBe(1)
    await pinned.verify(active)
    await pinned.verify(active)
    expect(listed()).toBe(3)
  })

  it('[ASK-2] refuses to read a file that has changed, and names it', async () => {
    const { active, pinned, now, folder } = await activated({ 'SKILL.md': MANIFEST, 'a.md': 'a', 'b.md': 'b' })
    const opened = await pinned.open(active)
    now['a.md'] = 'evil'
    expect(await failure(opened.read('a.md'))).toEqual({
      code: 'RESOURCE_REFUSED',
      message: `"a.md" of the skill "pdf" has changed since the skill was activated, so it is not what was agreed to.${WANTS}`,
      path: folder.location,
    })
    expect(text(await opened.read('b.md'))).toBe('b')
  })

  it('[ASK-2] refuses to read a file that is new, even with the content of another one', async () => {
    const { active, pinned, now } = await activated({ 'SKILL.md': MANIFEST, 'a.md': 'a' })
    const opened = await pinned.open(active)
    now['new.md'] = 'a'
    expect(await failure(opened.read('new.md'))).toMatchObject({
      code: 'RESOURCE_REFUSED',
      message: `"new.md" was not among the files of the skill "pdf" that were looked at when it was activated, so it is not what was agreed to.${WANTS}`,
    })
  })

  it('[ASK-2] reads a file by another case of its path only where its content is the same', async () => {
    const { active, pinned, now } = await activated({ 'SKILL.md': MANIFEST, 'a.md': 'a', 'b.md': 'b' })
    const opened = await pinned.open(active)
    expect(text(await opened.read('A.md'))).toBe('a')
    expect(text(await opened.read('./B.MD'))).toBe('b')
    now['a.md'] = 'b'
    expect(await failure(opened.read('A.md'))).toMatchObject({
      message: expect.stringContaining('"A.md" was not among'),
    })
  })

  it('[ASK-2, ACT-15] is refused where a file has changed and nothing is remembered', async () => {
    const { active, pinned, now, folder } = await activated({ 'SKILL.md': MANIFEST, 'a.md': 'a' })
    now['a.md'] = 'evil'
    const refused = {
      code: 'RESOURCE_REFUSED',
      message: `The folder of the skill "pdf" has changed since the skill was activated, so it is not what was agreed to.${WANTS}`,
      path: folder.location,
    }
    expect(await failure(pinned.open(active))).toEqual(refused)
    expect(await failure(pinned.verify(active))).toEqual(refused)
    now['a.md'] = 'a'
    await pinned.verify(active)
    now['a.md'] = 'evil'
    expect(await failure(pinned.verify(active))).toEqual(refused)
    // Opened by what was remembered.
    expect(await failure(pinned.open(active))).toBeUndefined()
  })

  it('[ASK-2] is measured by its survey if it has one', async () => {
    const stored = await activated({ 'SKILL.md': MANIFEST, 'a.md': 'a' })
    const files = new Map([['only.md', 'none']])
    const listing = await stored.folder.list()
    const survey = { digest: stored.active.digest, files, whole: true, listing, manifest: new Uint8Array() }
    const { active, pinned, listed } = await activated(
      { 'SKILL.md': MANIFEST, 'a.md': 'a' },
      { survey: () => Promise.resolve(survey) },
    )
    const opened = await pinned.open(active)
    expect(listed()).toBe(0)
    expect(await failure(opened.read('only.md'))).toMatchObject({ message: expect.stringContaining('has changed') })
  })

  it('[ASK-2] is the remembered folder, whatever the catalog holds by then', async () => {
    const { active, folder } = await activated({ 'SKILL.md': MANIFEST, 'a.md': 'a' })
    const gone = createPinnedFolders(() => undefined)
    const files = new Map<string, string>()
    gone.pin(active, { folder, fileName: 'SKILL.md', files })
    expect(await failure(gone.open(active))).toBeUndefined()
    expect(await failure(gone.verify(active))).toBeUndefined()
    const other: ActiveSkill = { ...active, digest: 'other' }
    for (const work of [gone.open(other), gone.verify(other)]) {
      expect(await failure(work)).toMatchObject({
        code: 'RESOURCE_NOT_FOUND',
        message: expect.stringContaining('The folder of the skill "pdf" is no longer in the catalog') as string,
      })
    }
  })

  it('[ASK-2, RES-3] reads hidden files only if they are asked for', async () => {
    const { active, pinned } = await activated({ 'SKILL.md': MANIFEST, '.env': 'K' })
    const opened = await pinned.open(active)
    expect(text(await opened.read('.env', { withheld: true }))).toBe('K')
    expect(await failure(opened.read('.env'))).toMatchObject({ code: 'RESOURCE_REFUSED' })
  })
})

describe('what is remembered of activated skills', () => {
  it('[ACT-14] belongs to the activation that showed it, and to no other', async () => {
    const mount = { path: 'private:/.skills/pdf', location: '/tasks/1/pdf' }
    const skill = (more: Partial<ActiveSkill>) => activeSkill('pdf', { source: 'a', location: 'bc', ...more })
    const skills = [
      skill({}),
      skill({ source: 'ab' }),
      skill({ source: 'ab', location: 'c' }),
      skill({ location: 'c' }),
      skill({ digest: 'e' }),
      skill({}),
      skill({ args: 'x' }),
      skill({ args: '"x"' }),
      skill({ mount }),
      skill({ mount: { ...mount, location: '/tasks/2/pdf' } }),
      skill({ mount: { ...mount, path: 'private:/.skills/pdf-2' } }),
      skill({ mount, args: 'x' }),
    ]
    const pinned = createPinnedFolders(() => undefined)
    for (const [index, each] of skills.entries()) {
      // The same one, by another object.
      expect(pinned.textOf(each)).toBe(index === 5 ? '0' : undefined)
      pinned.rememberText(each, String(index))
    }
    expect(skills.map((each) => pinned.textOf(each))).toEqual(skills.map((_, index) => String(index === 0 ? 5 : index)))
  })

  it('[ACT-14] is bounded to texts of 8,000,000 characters, and the last one however long', async () => {
    const pinned = createPinnedFolders(() => undefined)
    const [one, two, three] = ['1', '2', '3'].map((digest) => activeSkill('pdf', { digest })) as [
      ActiveSkill,
      ActiveSkill,
      ActiveSkill,
    ]
    pinned.rememberText(one, 'x'.repeat(4_000_000))
    pinned.rememberText(two, 'y'.repeat(4_000_000))
    expect([one, two].map((each) => pinned.textOf(each)?.length)).toEqual([4_000_000, 4_000_000])
    pinned.rememberText(three, 'z')
    expect([one, two, three].map((each) => pinned.textOf(each)?.[0])).toEqual([undefined, 'y', 'z'])
    pinned.rememberText(one, 'x'.repeat(8_000_001))
    expect([one, two, three].map((each) => pinned.textOf(each)?.[0])).toEqual(['x', undefined, undefined])
  })

  it('[ASK-2] is bounded to folders with 50,000 files together', async () => {
    const pinned = createPinnedFolders(() => undefined)
    const [one, two, three] = ['1', '2', '3'].map((digest) => activeSkill('pdf', { digest })) as [
      ActiveSkill,
      ActiveSkill,
      ActiveSkill,
    ]
    const { folder } = await activated({ 'SKILL.md': MANIFEST })
    const files = (count: number) => new Map(Array.from({ length: count }, (_, index) => [String(index), 'h']))
    pinned.pin(one, { folder, fileName: 'SKILL.md', files: files(25_000) })
    pinned.pin(two, { folder, fileName: 'SKILL.md', files: files(25_000) })
    const isPinned = async (each: ActiveSkill) => (await failure(pinned.open(each))) === undefined
    expect([await isPinned(one), await isPinned(two)]).toEqual([true, true])
    pinned.pin(three, { folder, fileName: 'SKILL.md', files: files(1) })
    expect([await isPinned(one), await isPinned(two), await isPinned(three)]).toEqual([false, true, true])
  })

  it('[ACT-14] includes the skill as the catalog has it now', async () => {
    const { skill: found } = await activated({ 'SKILL.md': MANIFEST })
    const asked: unknown[] = []
    const pinned = createPinnedFolders((each) => {
      asked.push(each)
      return found
    })
    const active = activeSkill('pdf')
    expect(pinned.skillOf(active)).toBe(found)
    expect(asked).toEqual([active])
  })
})
