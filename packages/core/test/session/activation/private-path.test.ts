import { describe, expect, it } from 'vitest'
import { type ActiveSkill, openAdapterSession } from '../../../src/adapter.ts'
import { openRepertoire } from '../../../src/index.ts'
import { activeSkill } from '../active-skill.ts'

const skill = (name: string, location?: string): ActiveSkill =>
  activeSkill(name, location === undefined ? {} : { mount: { path: `private:/.skills/${name}`, location } })

const repertoire = await openRepertoire({ sources: [] })

/** The real path of one in a session with these active skills, or the code and message of its refusal. */
function resolve(path: string, ...active: readonly ActiveSkill[]): string {
  const changes = active.map((each) => ({ type: 'activated' as const, skill: each }))
  const saved = repertoire.advance(undefined, [{ type: 'opened', id: 'task' }, ...changes])!
  const session = openAdapterSession(repertoire, { saved })
  try {
    return session.resolvePath(path)
  } catch (error) {
    const { code, message } = error as { readonly code: string; readonly message: string }
    return `${code}: ${message}`
  }
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
  ])('[ACT-5] is inside the folder %j, with the separators of that folder', (location, real) => {
    expect(resolve('private:/.skills/pdf/references/guide.md', skill('pdf', location))).toBe(real)
    expect(resolve('private:/.skills/pdf/./references/./guide.md', skill('pdf', location))).toBe(real)
    expect(resolve('private:/.skills/pdf', skill('pdf', location))).toBe(location)
    expect(resolve('private:/.skills/pdf/', skill('pdf', location))).toBe(location)
  })

  it('[ACT-5] is inside the copy of the skill whose private folder it names', () => {
    const active = [skill('plain'), skill('pdf', '/1/pdf'), skill('pdf-more', '/1/more')]
    expect(resolve('private:/.skills/pdf-more/a.md', ...active)).toBe('/1/more/a.md')
    expect(resolve('private:/.skills/pdf/a.md', ...active)).toBe('/1/pdf/a.md')
  })

  it('[ACT-5] is the same path where it is not private', () => {
    const mounted = { ...skill('pdf', '/1/pdf'), mount: { path: '/private/pdf', location: '/1/pdf' } }
    for (const path of ['/private/pdf2/a', '/x', 'a/../b', 'a\\b', '', 'x private:/a', 'privat:/a'])
      expect(resolve(path, mounted)).toBe(path)
    expect(resolve('/private/pdf/a', mounted)).toBe('/1/pdf/a')
  })

  it('[ACT-5, RES-3] is refused where it may lead out of the folder, with an example of what to pass', () => {
    const usage = 'Pass one such as "private:/.skills/name/references/guide.md".'
    for (const path of ['private:/.skills/csv/../pdf/a', 'private:\\.skills\\pdf', ' PRIVATE:/..']) {
      expect(resolve(path, skill('pdf', '/1/pdf'))).toBe(
        `RESOURCE_PATH_INVALID: "${path}" is not a path inside a skill's private folder: it may lead out of it. ${usage}`,
      )
    }
    expect(resolve('private:/.skills/pdf/../a', skill('pdf', '/1/pdf'))).toBe(
      `RESOURCE_PATH_INVALID: "private:/.skills/pdf/../a" is not a path inside a skill's private folder: it contains "..". ${usage}`,
    )
  })

  it('[ACT-5] is refused where no skill is mounted there, with the private folders that there are', () => {
    const path = 'private:/.skills/csv/a.md'
    const none = `RESOURCE_NOT_FOUND: "${path}" is in no private folder of an active skill.`
    expect(resolve(path)).toBe(`${none} No active skill has a private folder.`)
    expect(resolve(path, skill('plain'))).toBe(`${none} No active skill has a private folder.`)
    expect(resolve(path, skill('pdf', '/1/pdf'), skill('plain'), skill('tex', '/1/tex'))).toBe(
      `${none} There are: private:/.skills/pdf, private:/.skills/tex.`,
    )
  })
})
