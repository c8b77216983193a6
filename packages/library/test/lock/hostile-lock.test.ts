import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { changeSkillsLock, readSkillsLock, verifySkills } from '@repertoire/library'
import { describe, expect, it } from 'vitest'
import { parseSkillsLock } from '../../src/lock/skills-lock.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const ENTRY = '{"source":"a/b","sourceType":"github"}'
const lockOf = (entries: string): string => `{"version":1,"skills":{${entries}}}`

function project(bytes?: string | Uint8Array): { readonly folder: string; readonly path: string } {
  const folder = temporaryFolder()
  const path = join(folder, 'skills-lock.json')
  if (bytes !== undefined) writeFileSync(path, bytes)
  return { folder, path }
}

describe('a lock that somebody else has made', () => {
  it.each([
    ['with a byte order mark', `\uFEFF${lockOf('')}`, /not JSON/],
    ['in UTF-16', Buffer.from(lockOf(''), 'utf16le'), /not JSON/],
    ['that consists of NUL', new Uint8Array(100), /not JSON/],
    ['with a key that is written twice in two ways', lockOf(`"a":${ENTRY},"\\u0061":${ENTRY}`), /twice/],
    ['with __proto__ twice', lockOf(`"__proto__":${ENTRY},"__proto__":${ENTRY}`), /twice/],
  ])('[LIB-9] %s is an error, and stays as it is', async (_, bytes, reason) => {
    const { folder, path } = project(bytes)
    const failure = { code: 'LOCK_INVALID', message: expect.stringMatching(reason) as string }
    await expect(readSkillsLock(folder)).rejects.toMatchObject(failure)
    await expect(changeSkillsLock(folder, (skills) => skills.clear())).rejects.toMatchObject(failure)
    expect(readFileSync(path)).toEqual(Buffer.from(bytes as string))
  })

  it('[LIB-9, ABUSE-75] that is a pipe is refused, and nothing waits for it; a gigabyte is not read', async () => {
    const pipe = project()
    execFileSync('mkfifo', [pipe.path])
    await expect(readSkillsLock(pipe.folder)).rejects.toMatchObject({ code: 'RESOURCE_REFUSED' })
    await expect(changeSkillsLock(pipe.folder, () => {})).rejects.toMatchObject({ code: 'RESOURCE_REFUSED' })
    const huge = project('')
    truncateSync(huge.path, 1e9)
    await expect(readSkillsLock(huge.folder)).rejects.toMatchObject({ code: 'LOCK_INVALID' })
  })

  it('[LIB-9] keeps names that JavaScript gives a meaning, and gives none to anything', async () => {
    const entry = ENTRY.replace('}', ',"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')
    const { folder, path } = project(
      `${lockOf(`"__proto__":${entry},"constructor":${ENTRY}`).slice(0, -1)},"__proto__":2}`,
    )
    const { skills } = await changeSkillsLock(folder, (entries) => {
      entries.set('toString', { source: 'a', sourceType: 'git' })
    })
    expect([...skills.keys()]).toEqual(['__proto__', 'constructor', 'toString'])
    const text = readFileSync(path, 'utf8')
    expect(text.match(/"__proto__"/g)).toHaveLength(3)
    expect([...(await readSkillsLock(folder)).skills.keys()]).toEqual([...skills.keys()])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    const { skills: verified } = await verifySkills({ project: folder })
    expect(verified.map(({ name, state }) => `${name} ${state}`)).toEqual([
      '__proto__ missing',
      'constructor missing',
      'toString missing',
    ])
  })

  it('[LIB-9] stays byte for byte if nothing is changed: with other line ends, in another order, on one line', async () => {
    const crlf = `{\r\n  "version": 1,\r\n  "skills": {\r\n    "b": ${ENTRY},\r\n    "a": ${ENTRY}\r\n  }\r\n}\r\n`
    for (const text of [crlf, lockOf(`"b":${ENTRY},"a":${ENTRY}`)]) {
      const { folder, path } = project(text)
      await changeSkillsLock(folder, () => {})
      expect(readFileSync(path, 'utf8')).toBe(text)
      await changeSkillsLock(folder, (skills) => void skills.set('c', { source: 'a', sourceType: 'git' }))
      expect(Object.keys((JSON.parse(readFileSync(path, 'utf8')) as { skills: object }).skills)).toEqual([
        'a',
        'b',
        'c',
      ])
    }
  })

  it('[LIB-9] is read in one go, however many skills and lines it has', () => {
    const entries = Array.from({ length: 100_000 }, (_, number) => `"skill-${number}":${ENTRY}`)
    for (const between of [',', ',\n']) {
      expect(parseSkillsLock(lockOf(entries.join(between)), 'skills-lock.json').skills.size).toBe(100_000)
    }
  })
})

describe('the project of a lock', () => {
  it('[LIB-9] keeps the permissions of the lock', async () => {
    const { folder, path } = project(lockOf(''))
    chmodSync(path, 0o600)
    await changeSkillsLock(folder, (skills) => void skills.set('a', { source: 'a', sourceType: 'git' }))
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('[LIB-9, ABUSE-76] is not written where something with content is in the place of the lock between writers', async () => {
    const { folder, path } = project(lockOf(''))
    const between = join(folder, '.skills-lock.json.lock')
    const add = () => changeSkillsLock(folder, (skills) => void skills.set('a', { source: 'a', sourceType: 'git' }))
    writeFileSync(between, 'SQLite format 3\0')
    await expect(add()).rejects.toMatchObject({ code: 'RESOURCE_REFUSED' })
    expect(readFileSync(between, 'utf8')).toBe('SQLite format 3\0')
    // An empty one is what a writer has left that was killed.
    writeFileSync(between, '')
    await add()
    expect(readdirSync(folder)).toEqual(['skills-lock.json'])
    mkdirSync(between)
    await expect(add()).rejects.toMatchObject({ code: 'RESOURCE_REFUSED' })
    expect(readFileSync(path, 'utf8')).toContain('"a"')
  })
})
