import { describe, expect, it } from 'vitest'
import { foreign } from '@repertoire/test-servers/properties'
import { openRepertoire } from '../../src/index.ts'
import type { ActiveSkill } from '../../src/adapter.ts'
import {
  enforcedPolicy,
  type GateSettings,
  openToolTable,
  type Policy,
  resolveGate,
  skillsPolicy,
  NO_POLICY,
} from '@repertoire/gate/internal'

const skill = (name: string, more: Partial<ActiveSkill> = {}): ActiveSkill => ({
  name,
  layer: 'project',
  source: 's',
  location: `/skills/${name}`,
  digest: 'd',
  scripts: [],
  ...more,
})

const read = [{ tool: 'Read' }]
const write = [{ tool: 'Write' }]

describe('resolveGate', () => {
  it('[GATE-8, ABUSE-117] shows what is wrong with a rule with every character', () => {
    expect(() => resolveGate({ policy: { deny: ['Ba\u202Esh'] } })).toThrow('holds "Ba\\u{202E}sh"')
  })

  it('[GATE-8] restricts, narrows and protects nothing, if nothing is said', () => {
    expect(resolveGate({})).toEqual({
      mode: 'restrict',
      composition: 'all',
      host: NO_POLICY,
      protect: [],
      programs: 'any',
      safeGit: false,
    })
  })

  it('[GATE-8] keeps what holds without the options, and adds a policy to it', () => {
    const usual = resolveGate({
      enforcement: { mode: 'advisory', from: 'top' },

      policy: { allow: ['Read'], deny: ['Bash'], protect: ['a'] },
    })
    expect(usual).toEqual({
      mode: 'advisory',
      composition: 'top',
      host: { ...NO_POLICY, lists: [{ rules: read }], denied: [{ rules: [{ tool: 'Bash' }] }] },
      protect: ['a'],
      programs: 'any',
      safeGit: false,
    })
    expect(resolveGate({}, usual)).toEqual(usual)
    expect(resolveGate({ enforcement: { mode: 'preapprove', from: 'all' } }, usual)).toEqual({
      ...usual,
      mode: 'preapprove',
      composition: 'all',
    })
    expect(resolveGate({ policy: { allow: ['Write'], protect: ['b'] } }, usual)).toEqual({
      ...usual,
      host: { ...NO_POLICY, lists: [{ rules: read }, { rules: write }], denied: [{ rules: [{ tool: 'Bash' }] }] },
      protect: ['a', 'b'],
    })
    expect(resolveGate({ policy: {} }, usual)).toEqual(usual)
  })

  it('[GATE-11] lets skills hand out any program if nothing is said, and a session only narrow that', () => {
    expect(resolveGate({}).programs).toBe('any')
    const known = resolveGate({ policy: { programs: 'known' } })
    expect(known.programs).toBe('known')
    expect(resolveGate({}, known).programs).toBe('known')
    expect(resolveGate({ policy: { programs: 'any' } }, known).programs).toBe('known')
    expect(resolveGate({ policy: { programs: 'known' } }, resolveGate({})).programs).toBe('known')
  })

  it.each([
    [{ policy: { denny: ['Bash'] } }, 'unknown option `policy.denny`. Did you mean `policy.deny`?'],
    [{ policy: { programs: 'none' } }, '`policy.programs` is "none". Give "any" or "known".'],
    [
      { enforcement: { mode: 'strict' } },
      '`enforcement.mode` is "strict". Give "restrict", "preapprove" or "advisory".',
    ],
    [{ enforcement: 7 }, '`enforcement` is 7. Give'],
    [{ enforcement: 'restrict\u200B' }, '`enforcement` is "restrict\\u{200B}". Give'],
    [{ enforcement: 'x'.repeat(121) }, `\`enforcement\` is "${'x'.repeat(120)}…". Give`],
    [{ enforcement: { from: 'narrow' } }, '`enforcement.from` is "narrow". Give "all" or "top".'],
    [{ policy: null }, '`policy` is null. Give an object { allow, deny, ask, protect, programs, safeGit }.'],
    [{ policy: 'Read' }, '`policy` is "Read".'],
    [{ policy: { protect: 'a' } }, '`policy.protect` is "a". Give a list of paths.'],
    [{ policy: { protect: [''] } }, '`policy.protect[0]` is empty.'],
    [{ policy: { protect: ['a', 7] } }, '`policy.protect[1]` is 7.'],
    [{ policy: { allow: 'Read' } }, '`policy.allow` is "Read". Give a list of rules, such as "Read" or "Bash(git:*)".'],
    [{ policy: { deny: ['Read', 7] } }, '`policy.deny[1]` is 7.'],
    [{ policy: { allow: ['Bash(git:*'] } }, '`policy.allow` holds "Bash(git:*", which '],
  ])('[GATE-8] refuses %j', async (options, message) => {
    const opened = openRepertoire(foreign({ sources: [], ...options }))
    await expect(opened).rejects.toThrow(TypeError)
    await expect(opened).rejects.toThrow(message)
    const repertoire = await openRepertoire({ sources: [] })
    expect(() => repertoire.openSession(foreign(options))).toThrow(message)
  })
})

const tools = openToolTable({}).of(undefined)

/** Lists without the folders of their skills. */
function withoutFolders(policy: Policy): Policy {
  return { ...policy, lists: policy.lists.map((list) => ({ ...list, folder: undefined })) }
}

function policyOf(active: readonly ActiveSkill[], gate: GateSettings): Policy {
  return withoutFolders(skillsPolicy(active, gate, tools))
}

describe('what active skills say', () => {
  const active = [
    skill('free'),
    skill('reader', { rules: read }),
    skill('nothing', { rules: [] }),
    skill('taking', { denied: write }),
    skill('neither', { denied: [] }),
    skill('both', { rules: write, denied: read }),
  ]

  it('[GATE-6] is what every one of them says that restricts or takes away, the bottom first', () => {
    expect(policyOf(active, resolveGate({}))).toEqual({
      ...NO_POLICY,
      lists: [
        { skill: 'reader', rules: read },
        { skill: 'nothing', rules: [] },
        { skill: 'both', rules: write },
      ],
      denied: [
        { skill: 'taking', rules: write },
        { skill: 'both', rules: read },
      ],
    })
    expect(policyOf([skill('free')], resolveGate({}))).toEqual(NO_POLICY)
    expect(policyOf([], resolveGate({}))).toEqual(NO_POLICY)
  })

  it('[GATE-6] is what the top one alone says, by option; in a fork, with those that it began with', () => {
    const top = resolveGate({ enforcement: { from: 'top' } })
    expect(policyOf(active, top)).toEqual({
      ...NO_POLICY,
      lists: [{ skill: 'both', rules: write }],
      denied: [{ skill: 'both', rules: read }],
    })
    expect(policyOf(active.slice(0, 1), top)).toEqual(NO_POLICY)
    const fork = [
      skill('above', { rules: read, inherited: true }),
      skill('made-for', { rules: write, forked: true }),
      skill('between', { rules: [] }),
      skill('top', { rules: read }),
    ]
    expect(policyOf(fork, top).lists.map((list) => list.skill)).toEqual(['above', 'made-for', 'top'])
  })
})

describe('what is enforced', () => {
  const active = [skill('one', { rules: read, denied: write })]
  const host = { policy: { allow: ['Read', 'Write'], deny: ['Bash'] } }
  const rules = [{ tool: 'Read' }, { tool: 'Write' }]

  it.each([
    [
      'restrict',
      [{ rules }, { skill: 'one', rules: read }],
      [{ rules: [{ tool: 'Bash' }] }, { skill: 'one', rules: write }],
    ],
    ['preapprove', [{ rules }], [{ rules: [{ tool: 'Bash' }] }, { skill: 'one', rules: write }]],
    ['advisory', [{ rules }], [{ rules: [{ tool: 'Bash' }] }]],
  ] as const)('[GATE-8] in the mode %s, the policy of the host comes first', (mode, lists, denied) => {
    expect(withoutFolders(enforcedPolicy(active, resolveGate({ enforcement: mode, ...host }), tools))).toEqual({
      ...NO_POLICY,
      lists,
      denied,
    })
  })

  it.each(['restrict', 'preapprove', 'advisory'] as const)(
    '[GATE-8] in the mode %s, nothing is taken away where nobody takes anything away',
    (mode) => {
      const policy = withoutFolders(
        enforcedPolicy([skill('one', { rules: read })], resolveGate({ enforcement: mode }), tools),
      )
      expect(policy).toEqual({ ...NO_POLICY, lists: mode === 'restrict' ? [{ skill: 'one', rules: read }] : [] })
    },
  )
})
