import { describe, expect, it } from 'vitest'
import type { ActiveSkill, SessionState } from '../../../src/adapter.ts'
import { openSaved } from './saved-world.ts'

const { save, resume } = await openSaved('key')

/** A skill with everything that one can have. */
const full: ActiveSkill = {
  name: 'safe-edit',
  layer: 'project',
  source: 'directory:/skills',
  location: '/skills/safe-edit',
  alias: '/private/skills/safe-edit',
  digest: 'ab',
  rules: [{ tool: 'Read' }, { tool: 'Write', pattern: 'docs/**' }],
  denied: [{ tool: 'Bash', pattern: 'rm:*' }],
  scripts: ['bin/run'],
  args: 'all of it',
  mount: { path: '/private/x', location: 'private:/.skills/safe-edit' },
  post: ['make clean'],
  inherited: true,
  forked: true,
}

const { layer, source, location, digest, scripts } = full
const bare: ActiveSkill = { name: 'plain', layer, source, location, digest, scripts }

const state: SessionState = {
  version: 1,
  id: 'task-1',
  correlationId: 'corr-1',
  active: [full, bare],
  guided: true,
  granted: [{ skill: 'safe-edit', source: 'directory:/skills', digest: 'ab' }],
  open: [
    { id: 'q', callId: 'c', about: 'skill', digest: 'ab' },
    { id: 'r', callId: 'd', approved: false, reason: 'no' },
    { id: 's', callId: 'e', approved: true },
  ],
  steps: 3,
  ended: false,
}

const saved = save(state)

/** Resumes a session whose saved state is another value. It is read before its seal is compared. */
const read = (value: unknown): SessionState => resume({ ...saved, state: value })

type Json = Record<string, unknown>

/** The state with one value at a path put in the place of another. */
function withValue(path: readonly (string | number)[], value: unknown): unknown {
  const copy: Json = JSON.parse(JSON.stringify(state))
  const parent = path.slice(0, -1).reduce<Json>((at, key) => at[key] as Json, copy)
  parent[path.at(-1)!] = value
  return copy
}

/** The path as a message gives it: `state.active[0].name`. */
const shown = (path: readonly (string | number)[]): string =>
  path.reduce<string>((text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}.${key}`), 'state')

const TEXTS: readonly (readonly (string | number)[])[] = [
  ['id'],
  ['active', 0, 'name'],
  ['active', 1, 'source'],
  ['active', 0, 'location'],
  ['active', 0, 'digest'],
  ['active', 0, 'scripts', 0],
  ['active', 0, 'rules', 1, 'tool'],
  ['active', 0, 'denied', 0, 'tool'],
  ['active', 0, 'mount', 'path'],
  ['active', 0, 'mount', 'location'],
  ['active', 0, 'post', 0],
  ['granted', 0, 'skill'],
  ['granted', 0, 'source'],
  ['granted', 0, 'digest'],
  ['open', 0, 'id'],
  ['open', 1, 'callId'],
]
const OPTIONAL_TEXTS: readonly (readonly (string | number)[])[] = [
  ['correlationId'],
  ['active', 0, 'alias'],
  ['active', 0, 'args'],
  ['active', 0, 'rules', 1, 'pattern'],
  ['active', 0, 'denied', 0, 'pattern'],
  ['open', 1, 'reason'],
  ['open', 0, 'digest'],
]
const LISTS: readonly (readonly (string | number)[])[] = [['active'], ['granted'], ['open'], ['active', 0, 'scripts']]
const OPTIONAL_LISTS: readonly (readonly (string | number)[])[] = [
  ['active', 0, 'rules'],
  ['active', 0, 'denied'],
  ['active', 0, 'post'],
]
const OBJECTS: readonly (readonly (string | number)[])[] = [
  ['active', 0],
  ['active', 0, 'rules', 0],
  ['active', 0, 'mount'],
  ['granted', 0],
  ['open', 0],
]

describe('the state of a saved session', () => {
  it('[ACT-15] is read back with everything that it holds, and nothing that it does not', () => {
    expect(resume(JSON.parse(JSON.stringify(saved)))).toEqual(state)
    expect(Object.keys(resume(saved).active[1]!)).toEqual(['name', 'layer', 'source', 'location', 'digest', 'scripts'])
    const { correlationId: _, ...without } = state
    expect(resume(save(without))).toEqual(without)
    expect(resume(save(without)).correlationId).toBeUndefined()
  })

  it('[ACT-15, ABUSE-96] is read without what belongs to no state', () => {
    const extended: { extra?: unknown; active: Json[] } = JSON.parse(JSON.stringify(state))
    extended.extra = 'x'
    extended.active[0]!['extra'] = 'x'
    ;(extended.active[0]!['mount'] as Json)['extra'] = 'x'
    expect(read(extended)).toEqual(state)
  })

  it('[ACT-15] is under the seal with every part of it', () => {
    for (const path of [...TEXTS, ...OPTIONAL_TEXTS]) {
      expect(() => read(withValue(path, 'other'))).toThrow(/was changed after it was saved/)
    }
    for (const path of [...OPTIONAL_TEXTS, ...OPTIONAL_LISTS, ['active', 0, 'inherited'], ['active', 0, 'forked']]) {
      expect(() => read(withValue(path, undefined))).toThrow(/was changed after it was saved/)
    }
    for (const seal of [undefined, '', `${saved.seal}0`, saved.seal.slice(1), saved.seal.toUpperCase(), [saved.seal]]) {
      expect(() => resume({ state, seal })).toThrow(/was changed after it was saved/)
    }
  })

  it.each([...TEXTS, ...OPTIONAL_TEXTS].map((path) => [shown(path), path] as const))(
    '[ACT-15, ABUSE-96] refuses %s that is not a string',
    (at, path) => {
      for (const value of [7, null, ['x'], {}]) {
        expect(() => read(withValue(path, value))).toThrow(`: ${at} must be a string. Pass what`)
      }
    },
  )

  it.each(TEXTS.map((path) => [shown(path), path] as const))('[ACT-15] refuses a state without %s', (at, path) => {
    expect(() => read(withValue(path, undefined))).toThrow(`: ${at} must be a string.`)
  })

  it.each([...LISTS, ...OPTIONAL_LISTS].map((path) => [shown(path), path] as const))(
    '[ACT-15, ABUSE-96] refuses %s that is not a list, or one that no session could have made',
    (at, path) => {
      for (const value of ['x', 7, null, {}]) {
        expect(() => read(withValue(path, value))).toThrow(`: ${at} must be a list.`)
      }
      expect(() =>
        read(
          withValue(
            path,
            Array.from({ length: 20_001 }, () => 'x'),
          ),
        ),
      ).toThrow(`: ${at} must have at most 20000 entries.`)
    },
  )

  it.each(LISTS.map((path) => [shown(path), path] as const))('[ACT-15] refuses a state without %s', (at, path) => {
    expect(() => read(withValue(path, undefined))).toThrow(`: ${at} must be a list.`)
  })

  it('[ACT-15] takes the most entries that there can be', () => {
    const most = Array.from({ length: 20_000 }, () => 'x')
    const { active } = resume(save({ ...state, active: [{ ...full, scripts: most }] }))
    expect(active[0]!.scripts).toHaveLength(20_000)
  })

  it.each(OBJECTS.map((path) => [shown(path), path] as const))(
    '[ACT-15, ABUSE-96] refuses %s that is not an object',
    (at, path) => {
      for (const value of ['x', 7, null, []]) {
        expect(() => read(withValue(path, value))).toThrow(`: ${at} must be an object.`)
      }
    },
  )

  it.each([
    [['ended'], 'must be true or false', [undefined, null, 'true', 1]],
    [['open', 1, 'approved'], 'must be true or false', [null, 'true', 1]],
    [['active', 0, 'inherited'], 'must be true or absent', [false, null, 'true', 1]],
    [['active', 0, 'forked'], 'must be true or absent', [false, null, 'true', 1]],
    [['version'], 'must be 1', [undefined, '1']],
    [['active', 0, 'layer'], 'must be a layer', [undefined, 'root', 7]],
  ] as const)('[ACT-15, ABUSE-96] %j %s', (path, demand, values) => {
    for (const value of values) {
      expect(() => read(withValue(path, value))).toThrow(
        `A saved session is invalid: ${shown(path)} ${demand}. Pass what \`session.save()\` returned, unchanged.`,
      )
    }
  })

  it.each(['enterprise', 'personal', 'project', 'plugin', 'bundled'] as const)(
    '[ACT-15] takes the layer %s',
    (each) => {
      expect(resume(save({ ...state, active: [{ ...full, layer: each }] })).active[0]!.layer).toBe(each)
    },
  )

  it.each([undefined, null, 'x', 7, []])('[ACT-15] refuses %j, which is not a state at all', (value) => {
    expect(() => read(value)).toThrow(': state must be an object.')
  })

  it('[ACT-15] of another version is refused', () => {
    expect(() => read({ ...state, version: 2 })).toThrow('state.version must be 1')
  })

  it('[ACT-15, ABUSE-96] is named in an error only by the beginning of its id', () => {
    expect(() => read({ ...state, id: 'x'.repeat(100_000) })).toThrow(/^.{1,300}$/)
  })
})

describe('lists that are not plain', () => {
  class Empty extends Array {
    override map(): never[] {
      return []
    }
    override flatMap(): never[] {
      return []
    }
  }

  it('[ACT-15, ABUSE-96] are read entry by entry: what a list does itself has no part in it', () => {
    expect(read({ ...state, active: Empty.from(state.active) }).active).toEqual(state.active)
  })

  it('[ACT-15, ABUSE-96] are refused where they have holes', () => {
    const holed: readonly unknown[] = Array(1)
    expect(() => read({ ...state, granted: holed })).toThrow('state.granted[0] must be an object')
  })
})
