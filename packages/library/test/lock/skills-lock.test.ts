import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { changeSkillsLock, readSkillsLock } from '@repertoire/library'
import type { LockedSkill } from '@repertoire/library'
import {
  assert,
  asyncProperty,
  constant,
  dictionary,
  jsonValue,
  property,
  record,
  string,
  stringMatching,
} from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSkillsLock, renderSkillsLock } from '../../src/lock/skills-lock.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const ENTRY = { source: 'a/b', sourceType: 'github', computedHash: 'c' }
/** As the published command writes it, with keys of which nothing is known here. */
const THEIRS = `{
  "version": 1,
  "skills": {
    "one": {
      "source": "./from/one",
      "sourceType": "local",
      "future": {
        "key": [
          1
        ]
      },
      "computedHash": "0123"
    },
    "two": {
      "source": "a/b",
      "sourceType": "github",
      "ref": "main",
      "skillPath": "skills/two/SKILL.md",
      "computedHash": "4567"
    }
  }
}
`

function project(text?: string): { readonly folder: string; readonly read: () => string } {
  const folder = temporaryFolder()
  const path = join(folder, 'skills-lock.json')
  if (text !== undefined) writeFileSync(path, text)
  return { folder, read: () => readFileSync(path, 'utf8') }
}

describe('the lock of the skills command', () => {
  it('[LIB-9] is read, and written back byte for byte if nothing was changed', async () => {
    const { folder, read } = project(THEIRS)
    const { skills } = await readSkillsLock(folder)
    expect([...skills.keys()]).toEqual(['one', 'two'])
    expect(skills.get('two')).toMatchObject({ ref: 'main', skillPath: 'skills/two/SKILL.md' })
    await changeSkillsLock(folder, () => {})
    expect(read()).toBe(THEIRS)
  })

  it('[LIB-6, LIB-9] keeps what is not known, sorts by name, and has no time stamps', async () => {
    const { folder, read } = project(THEIRS.replace('"version": 1,', '"version": 1,\n  "other": true,'))
    const repertoire = { revision: 'f'.repeat(40), files: { 'SKILL.md': { sha256: 'a'.repeat(64) } } }
    await changeSkillsLock(folder, (skills) => void skills.set('a-first', { ...ENTRY, repertoire }))
    const value = JSON.parse(read()) as { skills: Record<string, unknown>; other: unknown }
    expect(value.other).toBe(true)
    expect(Object.keys(value.skills)).toEqual(['a-first', 'one', 'two'])
    expect(value.skills['one']).toMatchObject({ future: { key: [1] } })
    expect(value.skills['a-first']).toEqual({ ...ENTRY, repertoire })
    const once = read()
    await changeSkillsLock(folder, (skills) => void skills.set('a-first', { ...ENTRY, repertoire }))
    expect(read()).toBe(once)
    expect(readdirSync(folder)).toEqual(['skills-lock.json'])
  })

  it('[LIB-9] has local sources relative to the project', async () => {
    const { folder } = project()
    const local = (source: string): LockedSkill => ({ source, sourceType: 'local' })
    const { skills } = await changeSkillsLock(folder, (entries) => {
      entries.set('a', local(join(folder, 'x', 'y')))
      entries.set('b', local(join(folder, '..', 'z')))
      entries.set('c', local(folder))
      entries.set('d', local('x'))
    })
    expect([...skills.values()].map(({ source }) => source)).toEqual(['./x/y', '../z', '.', './x'])
  })

  it.each([
    ['torn', THEIRS.slice(0, 200), undefined, /not JSON/],
    ['empty', '', undefined, /not JSON/],
    ['not JSON', THEIRS.replace('"sourceType": "local",', '"sourceType": local,'), undefined, /not JSON/],
    ['newer', THEIRS.replace('"version": 1', '"version": 2'), 2, /newer/],
    ['of another kind', THEIRS.replace('"version": 1', '"version": "1"'), 2, /"version"/],
    ['half-merged', THEIRS.replace('    "two"', '<<<<<<< ours\n    "two"'), 14, /merge/],
    ['merged to two equal keys', THEIRS.replace('"two"', '"one"'), 14, /twice/],
    ['without skills', '{ "version": 1 }', 1, /"skills"/],
    ['a list', '[]', 1, /not an object/],
    ['with an entry without a source', THEIRS.replace('"source": "a/b",', ''), 14, /"source"/],
    ['with a name that leads out', THEIRS.replace('"two"', '"../two"'), 14, /name/],
    [
      'with a digest that is none',
      THEIRS.replace('"ref": "main"', '"repertoire": { "files": { "a": {} } }'),
      14,
      /digest/,
    ],
    ['with text behind its end', `${THEIRS}}`, undefined, /not JSON/],
    ['nested too deeply', `{"version": 1, "skills": ${'['.repeat(100)}`, undefined, /not JSON/],
  ])(
    '[LIB-9] is an error where it is %s, with the line where it is known,, and stays as it is',
    async (_, text, line, reason) => {
      const { folder, read } = project(text)
      const failure = { code: 'LOCK_INVALID', line, message: expect.stringMatching(reason) as string }
      await expect(readSkillsLock(folder)).rejects.toMatchObject(failure)
      await expect(changeSkillsLock(folder, (skills) => skills.clear())).rejects.toMatchObject(failure)
      expect(read()).toBe(text)
      expect(readdirSync(folder)).toEqual(['skills-lock.json'])
    },
  )

  it('[LIB-9] refuses a lock that ends anywhere, also inside a long text', async () => {
    for (let end = 0; end < THEIRS.trimEnd().length; end++) {
      const { folder } = project(THEIRS.slice(0, end))
      await expect(readSkillsLock(folder)).rejects.toMatchObject({ code: 'LOCK_INVALID' })
    }
    for (const part of ['a', '\\n', 'a\\u0041']) {
      // Work that grows faster than the text would take longer than any time limit.
      const { folder } = project(`{"version": 1, "skills": {"${part.repeat(100_000)}`)
      await expect(readSkillsLock(folder)).rejects.toMatchObject({ code: 'LOCK_INVALID' })
    }
  })

  it('[LIB-9] is an error if it is not UTF-8, and stays as it is', async () => {
    const { folder } = project()
    const bytes = Buffer.from([0x7b, 0xff, 0x7d])
    writeFileSync(join(folder, 'skills-lock.json'), bytes)
    await expect(changeSkillsLock(folder, () => {})).rejects.toMatchObject({ code: 'LOCK_INVALID' })
    expect(readFileSync(join(folder, 'skills-lock.json'))).toEqual(bytes)
  })
})

describe('writers', () => {
  it('[LIB-6, LIB-7] at once lose nothing, and leave nothing but the lock', async () => {
    const { folder } = project(THEIRS)
    const names = Array.from({ length: 20 }, (_, number) => `skill-${number}`)
    await Promise.all(names.map((name) => changeSkillsLock(folder, (skills) => void skills.set(name, ENTRY))))
    const { skills } = await readSkillsLock(folder)
    expect(new Set(skills.keys())).toEqual(new Set(['one', 'two', ...names]))
    expect(readdirSync(folder)).toEqual(['skills-lock.json'])
  })

  it('[LIB-9] that know no lock are not overwritten: a change beside theirs is refused, and made on what they wrote', async () => {
    const { folder, read } = project(THEIRS)
    const theirs = THEIRS.replace('"two"', '"theirs"')
    const change = (meanwhile: () => void) =>
      changeSkillsLock(folder, (skills) => {
        meanwhile()
        skills.set('ours', ENTRY)
      })
    const beside = change(() => writeFileSync(join(folder, 'skills-lock.json'), theirs))
    const message = expect.stringContaining('another program has changed it') as string
    await expect(beside).rejects.toMatchObject({ code: 'LOCK_MISMATCH', message })
    expect(read()).toBe(theirs)
    await change(() => {})
    expect(Object.keys((JSON.parse(read()) as { skills: object }).skills)).toEqual(['one', 'ours', 'theirs'])
  })

  it('[ABUSE-75] are refused where the lock, or the lock between writers, is a link', async () => {
    const { folder } = project()
    const outside = join(temporaryFolder(), 'outside.json')
    writeFileSync(outside, THEIRS)
    symlinkSync(outside, join(folder, 'skills-lock.json'))
    await expect(readSkillsLock(folder)).rejects.toMatchObject({ code: 'RESOURCE_REFUSED' })
    await expect(changeSkillsLock(folder, (skills) => skills.clear())).rejects.toMatchObject({
      code: 'RESOURCE_REFUSED',
    })
    const other = project(THEIRS)
    symlinkSync(outside, join(other.folder, '.skills-lock.json.lock'))
    await expect(changeSkillsLock(other.folder, (skills) => skills.clear())).rejects.toMatchObject({
      code: 'RESOURCE_REFUSED',
    })
    expect([readFileSync(outside, 'utf8'), other.read()]).toEqual([THEIRS, THEIRS])
  })

  it('[LIB-6] are told of a mistake in an entry, and of a project that is not there', async () => {
    const { folder } = project()
    const bad = { source: 'a' } as unknown as LockedSkill
    await expect(changeSkillsLock(folder, (skills) => void skills.set('a', bad))).rejects.toThrow(
      'the skill "a" has no "sourceType"',
    )
    await expect(changeSkillsLock(folder, (skills) => void skills.set('../a', ENTRY))).rejects.toThrow(
      'the skill "../a" has a name that is not one of a folder',
    )
    const gone = join(folder, 'gone')
    expect((await readSkillsLock(gone)).skills.size).toBe(0)
    await expect(changeSkillsLock(gone, () => {})).rejects.toMatchObject({ code: 'FOLDER_NOT_WRITABLE' })
    expect(existsSync(gone)).toBe(false)
    mkdirSync(join(folder, 'skills-lock.json'))
    await expect(readSkillsLock(folder)).rejects.toMatchObject({ code: 'RESOURCE_REFUSED' })
  })
})

describe('laws', () => {
  const text = string({ maxLength: 20 })
  const name = stringMatching(/^[a-z][a-z\d-]{0,9}$/)
  const entry = record(
    { source: text, sourceType: constant('git'), ref: text, computedHash: text, unknown: jsonValue({ maxDepth: 2 }) },
    { requiredKeys: ['source', 'sourceType'] },
  )

  it('[LIB-9] what was written is read, and written again as it was', () => {
    const holds = property(dictionary(name, entry, { maxKeys: 6 }), (entries) => {
      const lock = { skills: new Map(Object.entries(entries)) as ReadonlyMap<string, LockedSkill>, extra: {} }
      const written = renderSkillsLock(lock)
      const read = parseSkillsLock(written, 'skills-lock.json')
      expect(renderSkillsLock(read)).toBe(written)
      expect(JSON.parse(written)).toEqual({
        version: 1,
        skills: JSON.parse(JSON.stringify(Object.fromEntries(lock.skills))) as unknown,
      })
    })
    assert(holds, { numRuns: 50 })
  })

  it('[LIB-6, LIB-7] a change that throws changes nothing', async () => {
    const { folder, read } = project(THEIRS)
    await assert(
      asyncProperty(text, async (message) => {
        const failing = changeSkillsLock(folder, (skills) => {
          skills.clear()
          throw new TypeError(message)
        })
        await expect(failing).rejects.toThrow(new TypeError(message))
        expect(read()).toBe(THEIRS)
      }),
      { numRuns: 3 },
    )
  })
})
