import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judge as judgeCall, type Policy, resolveGate, type HostPolicy, NO_POLICY } from '../src/internal.ts'
import type { GateRefusal } from '../src/index.ts'

import { runs } from '@repertoire/test-servers/properties'
import { allows, judge, policy, rule } from './rules.ts'
import { toolset } from './toolset.ts'

const OWN = toolset({ readDoc: 'Read', runCommand: { as: 'Bash', argument: 'cmd' }, saveDoc: 'Write' }, [
  'readDoc',
  'runCommand',
  'saveDoc',
])

/** What a refusal lists for skills with these rules. */
async function listed(...lists: string[][]): Promise<readonly string[] | undefined> {
  const verdict = await judge(policy(...lists), 'Nothing')
  return verdict.allowed ? undefined : verdict.allowedTools
}

describe('what active skills allow together', () => {
  test.each([
    [
      [
        ['Read', 'Bash'],
        ['Read', 'Write'],
      ],
      ['Read'],
    ],
    [[['Read'], ['Write']], []],
    [[['Bash(git:*)'], ['Bash(git log:*)']], ['Bash(git log:*)']],
    [[['Bash(git log:*)'], ['Bash(git:*)', 'Read']], ['Bash(git log:*)']],
    [[['Bash(git:*)'], ['Bash(npm:*)']], []],
    [
      [
        ['Bash(git:*)', 'Bash(npm:*)'],
        ['Bash(npm test)', 'Bash(git log:*)'],
      ],
      ['Bash(git log:*)', 'Bash(npm test)'],
    ],
    [[['Bash'], ['Bash(git:*)'], ['Bash(git diff:*)', 'Bash(ls:*)']], ['Bash(git diff:*)']],
    [[['Read(docs/**)'], ['Read(docs/a/*)', 'Read(src/**)']], ['Read(docs/a/*)']],
    [[['Read(docs/**)'], ['Read(**/*.md)']], ['Read(docs/**) and Read(**/*.md)']],
    [[['Read(docs/**)'], ['Read(**/*.md)'], ['Read(docs/a.md)']], ['Read(docs/a.md)']],
    [
      [['WebFetch(domain:a.com)'], ['WebFetch(domain:x.a.com)', 'WebFetch(domain:b.com)']],
      ['WebFetch(domain:x.a.com)'],
    ],
    [[['Deploy(staging)'], ['Deploy(prod)']], []],
    [[['mcp__git__*'], ['mcp__git__log', 'mcp__hub__log']], ['mcp__git__log']],
    [[['mcp__git__*', 'Read'], ['mcp__git__*']], ['mcp__git__*']],
    [[['Read', 'Bash(git:*)']], ['Read', 'Bash(git:*)']],
  ])('[GATE-13] %j is %j', async (lists, expected) => {
    expect(await listed(...lists)).toEqual(expected)
    expect((await listed(...lists.toReversed()))?.toSorted()).toEqual(
      expected.length === 1 && expected[0]!.includes(' and ')
        ? [expect.stringContaining(' and ')]
        : expected.toSorted(),
    )
  })

  test('[GATE-13] what is listed is permitted by every list, and nothing else of the same calls is', async () => {
    const rules = [
      'Read',
      'Write',
      'Read(docs/**)',
      'Read(docs/a/*)',
      'Bash',
      'Bash(git:*)',
      'Bash(git log:*)',
      'Bash(ls)',
    ]
    const calls = [
      ['Read', { file_path: 'docs/a/x' }],
      ['Read', { file_path: 'docs/x' }],
      ['Read', { file_path: 'x' }],
      ['Write', { file_path: 'x' }],
      ['Bash', { command: 'git log -1' }],
      ['Bash', { command: 'git status' }],
      ['Bash', { command: 'ls' }],
      ['Bash', { command: 'id' }],
    ] as const
    const lists = fc.array(fc.uniqueArray(fc.constantFrom(...rules), { minLength: 1 }), { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(lists, fc.constantFrom(...calls), async (all, [tool, input]) => {
        const effective = await listed(...all)
        expect(await allows(policy([...effective!]), tool, input)).toBe(await allows(policy(...all), tool, input))
      }),
      { numRuns: runs(400) },
    )
  })
})

/** The refusal of a host with a policy, while skills with these rules are active. */
async function refused(
  { tool, input = {} }: { readonly tool: string; readonly input?: unknown },
  host: HostPolicy,
  lists: Readonly<Record<string, { readonly allow?: string[]; readonly deny?: string[] }>>,
  enforcement?: 'advisory' | { readonly from: 'top' },
): Promise<GateRefusal | undefined> {
  const active = Object.entries(lists).map(([name, { allow, deny }]) => ({
    name,
    location: `/skills/${name}`,
    scripts: ['scripts/go.sh'],
    ...(allow !== undefined && { rules: allow.map(rule) }),
    ...(deny !== undefined && { denied: deny.map(rule) }),
  }))
  const gate = resolveGate({ policy: host, enforcement })
  const judgement = await judgeCall({ tool, input }, active, { tools: OWN, cwd: '/project', gate })
  return judgement.allowed ? judgement.advised : judgement.refusal
}

const TWO = { a: { allow: ['Read', 'Bash'] }, b: { allow: ['Read', 'Write'] } }

describe('a refusal', () => {
  test('[GATE-13] lists what every skill and the policy allow, in the host’s names, and names the skill that refused', async () => {
    expect(await refused({ tool: 'saveDoc' }, {}, TWO)).toEqual({
      code: 'TOOL_NOT_ALLOWED',
      reason:
        '"saveDoc" may not be used while the skill "a" is active: it does not allow it. All active rules together allow only readDoc.',
      allowedTools: ['readDoc'],
      refusedBy: { by: 'allowed-tools', skill: 'a' },
    })
    expect(await refused({ tool: 'runCommand', input: { cmd: 'ls' } }, {}, TWO)).toMatchObject({
      reason: expect.stringContaining('the skill "b" is active: it does not allow it.') as string,
      allowedTools: ['readDoc'],
      refusedBy: { by: 'allowed-tools', skill: 'b' },
    })
  })

  test('[GATE-13] never lists a tool that the policy forbids', async () => {
    const one = { a: { allow: ['Read', 'Bash', 'Write'] } }
    expect(await refused({ tool: 'other' }, { deny: ['Bash'] }, one)).toMatchObject({
      allowedTools: ['readDoc', 'saveDoc'],
    })
    expect(await refused({ tool: 'other' }, { allow: ['Read', 'Write(docs/**)'] }, one)).toMatchObject({
      allowedTools: ['readDoc', 'saveDoc(docs/**)'],
      refusedBy: { by: 'policy.allow' },
    })
    const push = { a: { allow: ['Bash(git push:*)', 'Bash(git log:*)'] } }
    expect(await refused({ tool: 'other' }, { deny: ['Bash(git push:*)'] }, push)).toMatchObject({
      allowedTools: ['runCommand(git log:*)'],
    })
    const known = { a: { allow: ['Bash(make:*)', 'Bash(npm test)', 'Bash(ls:*)'] } }
    expect(await refused({ tool: 'other' }, { programs: 'known' }, known)).toMatchObject({
      allowedTools: ['runCommand(npm test)', 'runCommand(ls:*)'],
    })
  })

  test('[GATE-13] [OBS-7] names the rule that denies a call, and what is allowed beside it', async () => {
    const call = { tool: 'runCommand', input: { cmd: 'git push' } }
    expect(await refused(call, { deny: ['Bash(git push:*)'] }, TWO)).toMatchObject({
      reason: expect.stringContaining("the host's policy disallows Bash(git push:*)") as string,
      allowedTools: ['readDoc'],
      refusedBy: { by: 'policy.deny', rule: 'Bash(git push:*)' },
    })
    expect(await refused(call, {}, { careful: { deny: ['Write', 'Bash(git push:*)'] } })).toEqual({
      code: 'TOOL_NOT_ALLOWED',
      reason: expect.stringContaining('the skill "careful" is active: it disallows Bash(git push:*)') as string,
      refusedBy: { by: 'disallowed-tools', skill: 'careful', rule: 'Bash(git push:*)' },
    })
    expect(await refused({ tool: 'readDoc', input: { file_path: 'k.pem' } }, { protect: ['k.pem'] }, {})).toMatchObject(
      {
        refusedBy: { by: 'policy.protect', rule: 'k.pem' },
      },
    )
    const script = { tool: 'readDoc', input: { file_path: '/skills/a/scripts/go.sh' } }
    expect(await refused(script, {}, { a: {} })).toMatchObject({ refusedBy: { by: 'script', skill: 'a' } })
  })

  test('[GATE-13] shows for the tool that was called what all rules allow of it', async () => {
    const call = { tool: 'runCommand', input: { cmd: 'npm test' } }
    const lists = { a: { allow: ['Bash(git:*)'] }, b: { allow: ['Bash(git log:*)'] } }
    expect((await refused(call, {}, lists))?.reason).toMatch(
      /^"runCommand" may only be used as runCommand\(git log:\*\) while/,
    )
    const none = { a: { allow: ['Bash(git:*)'] }, b: { allow: ['Bash(ls:*)', 'Read'] } }
    expect(await refused(call, {}, none)).toMatchObject({
      reason: expect.stringMatching(
        /^"runCommand" may not be used while the skill "a" is active: it does not allow it\. /,
      ) as string,
      allowedTools: [],
    })
  })

  test('[GATE-13] counts only the top skill where only that one restricts, and a host’s policy also where skills advise', async () => {
    expect(await refused({ tool: 'runCommand', input: { cmd: 'ls' } }, {}, TWO, { from: 'top' })).toMatchObject({
      reason: '"runCommand" may not be used while the skill "b" is active: it allows only readDoc, saveDoc.',
      allowedTools: ['readDoc', 'saveDoc'],
    })
    expect(await refused({ tool: 'saveDoc' }, { deny: ['Bash'] }, { a: TWO.a }, 'advisory')).toMatchObject({
      allowedTools: ['readDoc'],
      refusedBy: { by: 'allowed-tools', skill: 'a' },
    })
  })
})

test('[GATE-13, GATE-16] of thousands of rules, the first hundred of each list are compared', async () => {
  const many = (folder: string): string[] => Array.from({ length: 2_000 }, (_, index) => `Read(${folder}/${index}*x)`)
  expect(await listed(many('a'), many('a'))).toHaveLength(100)
  expect(await listed(['Write', ...many('a')], ['Write', ...many('b')])).toEqual(['Write'])
})

test('[GATE-13] a policy without lists has nothing to list', async () => {
  const denying: Policy = { ...NO_POLICY, lists: [], denied: [{ rules: [rule('Read')] }] }
  expect(await judge(denying, 'Read')).toMatchObject({ allowed: false, allowedTools: undefined })
})
