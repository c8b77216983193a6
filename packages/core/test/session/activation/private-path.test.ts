import { describe, expect, it } from 'vitest'
import { type ActiveSkill, openAdapterSession } from '../../../src/adapter.ts'
import { openRepertoire } from '../../../src/index.ts'
import { activeSkill } from '../active-skill.ts'
import { givenPath } from '../session-world.ts'
import { savedOf } from '../state/saved-world.ts'

const skill = (name: string, location?: string): ActiveSkill =>
  activeSkill(name, location === undefined ? {} : { mount: { path: `private:/.skills/${name}`, location } })

const repertoire = await openRepertoire({ sources: [] })

/** The path that a tool is given in a session with these active skills. */
async function resolve(path: string, ...active: readonly ActiveSkill[]): Promise<string | undefined> {
  const session = openAdapterSession(repertoire, { saved: savedOf({ active }) })
  return givenPath(session, path)
}

describe('the real path of a private path', () => {
  it.each([
    ['/tasks/1/pdf', '/tasks/1/pdf/references/guide.md'],
    ['/tasks/1/pdf/', '/tasks/1/pdf/references/guide.md'],
    ['/tasks/1/pdf//', '/tasks/1/pdf/references/guide.md'],
    ['/tasks/C:\\pdf', '/tasks/C:\\pdf/references/guide.md'],
    ['C:\\tasks\\pdf', 'C:\\tasks\\pdf\\references\\guide.md'],
    ['d:\\tasks\\pdf\\', 'd:\\tasks\\pdf\\references\\guide.md'],
    ['\\\\server\\share\\pdf', '\\\\server\\share\\pdf\\references\\guide.md'],
    ['/tasks/\\\\x/pdf', '/tasks/\\\\x/pdf/references/guide.md'],
  ])('[ACT-5] is inside the folder %j, with the separators of that folder', async (location, real) => {
    expect(await resolve('private:/.skills/pdf/references/guide.md', skill('pdf', location))).toBe(real)
    expect(await resolve('private:/.skills/pdf/./references/./guide.md', skill('pdf', location))).toBe(real)
    expect(await resolve('private:/.skills/pdf', skill('pdf', location))).toBe(location)
    expect(await resolve('private:/.skills/pdf/', skill('pdf', location))).toBe(location)
  })

  it('[ACT-5] is inside the copy of the skill whose private folder it names', async () => {
    const active = [skill('plain'), skill('pdf', '/1/pdf'), skill('pdf-more', '/1/more')]
    expect(await resolve('private:/.skills/pdf-more/a.md', ...active)).toBe('/1/more/a.md')
    expect(await resolve('private:/.skills/pdf/a.md', ...active)).toBe('/1/pdf/a.md')
  })

  it('[ACT-5] is the same path if it is not private', async () => {
    const mounted = { ...skill('pdf', '/1/pdf'), mount: { path: '/private/pdf', location: '/1/pdf' } }
    for (const path of ['/private/pdf2/a', '/x', 'a/../b', 'a\\b', 'x private:/a', 'privat:/a'])
      expect(await resolve(path, mounted)).toBe(path)
    expect(await resolve('/private/pdf/a', mounted)).toBe('/1/pdf/a')
  })

  it('[ACT-5, RES-3] is none where it may lead out of the folder, or no skill is mounted there', async () => {
    const active = [skill('pdf', '/1/pdf'), skill('plain')]
    for (const path of ['private:/.skills/csv/../pdf/a', 'private:/.skills/pdf/../a', 'private:/.skills/csv/a.md'])
      expect(await resolve(path, ...active)).toBe(path)
  })
})
