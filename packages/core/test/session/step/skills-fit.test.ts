import { describe, expect, test } from 'vitest'
import { openAdapterSession } from '../../../src/adapter.ts'
import { type RepertoireOptions, type SessionProblem, memorySource, openRepertoire } from '../../../src/index.ts'

const skill = (name: string, fields: string) => ({
  'SKILL.md': `---\nname: ${name}\ndescription: Is ${name}.\n${fields}---\nDo it.\n`,
})
const SKILLS = {
  committer: skill('committer', 'allowed-tools: Bash(git:*), Read\n'),
  reader: skill('reader', 'allowed-tools: Read, mcp__files__*\n'),
  rocketeer: skill('rocketeer', 'allowed-tools: launchRocket, Read\n'),
  free: skill('free', ''),
  mute: skill('mute', 'allowed-tools: []\n'),
  apart: skill('apart', 'allowed-tools: Read\ncontext: fork\n'),
  equipped: skill('equipped', 'allowed-tools: Read\ntoolsets: ["tools.mjs:Files"]\n'),
}
const HOST = ['launchRocket', 'orderFuel']

/** What a session reports over some steps, each with the host's tools in it. */
async function problemsOf(
  steps: readonly (readonly string[])[],
  { skills = SKILLS, ...more }: Partial<RepertoireOptions> & { skills?: Record<string, Record<string, string>> } = {},
): Promise<readonly SessionProblem[]> {
  const problems: SessionProblem[] = []
  const sources = [memorySource({ layer: 'project', skills })]
  const repertoire = await openRepertoire({ sources, ...more })
  // As frameworks do that reopen a session for every step.
  for (const names of steps) {
    openAdapterSession(repertoire, { id: 'one', onProblem: (problem) => problems.push(problem) }).beginStep(names)
  }
  return problems
}

describe('skills whose rules mean none of the host’s tools', () => {
  test('[GATE-10] are one problem, at the first step that has tools, with what to add to the table', async () => {
    expect(await problemsOf([[], HOST, HOST])).toEqual([
      {
        code: 'SKILLS_UNMATCHED',
        message:
          'No tool can be used while one of these skills is active, because its `allowed-tools` match none of your tools: committer, reader. If some of your tools do the same, add them to the option `toolMap`: { \'<your tool>\': "Read", \'<your tool>\': "Bash" }.',
      },
    ])
  })

  test('[GATE-10] are none with the tools in the table, and in modes that refuse nothing', async () => {
    expect(await problemsOf([HOST], { toolMap: { orderFuel: 'Read' } })).toEqual([])
    expect(await problemsOf([['read_file']])).toEqual([])
    const both = { orderFuel: { as: ['Bash', 'Read'], argument: 'command', kind: 'shell' } } as const
    expect(await problemsOf([HOST], { toolMap: both, skills: { committer: SKILLS.committer } })).toEqual([])
    expect(await problemsOf([HOST], { toolMap: both, skills: { reader: SKILLS.reader } })).toHaveLength(1)
    expect(await problemsOf([HOST], { enforcement: 'preapprove' })).toEqual([])
    expect(await problemsOf([HOST], { enforcement: 'advisory' })).toEqual([])
    expect(await problemsOf([[]])).toEqual([])
  })

  test('[GATE-10] are judged with the tools of each step and each session alone', async () => {
    const problems: string[] = []
    const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills: SKILLS })] })
    const begin = (id: string, names: readonly string[], skills?: readonly string[]) =>
      openAdapterSession(repertoire, {
        id,
        skills,
        onProblem: ({ code, message }) => problems.push(`${id} ${code} ${message}`),
      }).beginStep(names)
    begin('a', HOST)
    begin('b', ['read_file'])
    begin('c', HOST)
    begin('d', HOST, ['free', 'reader'])
    begin('e', HOST, ['free'])
    expect(problems.map((problem) => /^(.) SKILLS_UNMATCHED .*: ([a-z, ]+)\. If/.exec(problem)?.slice(1))).toEqual([
      ['a', 'committer, reader'],
      ['c', 'committer, reader'],
      ['d', 'reader'],
    ])
  })

  test('[GATE-10] are named up to a number, and a rule for a whole server names no tool to map', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `skill-${String.fromCodePoint(97 + index)}`)
    const skills = Object.fromEntries(names.map((name) => [name, skill(name, 'allowed-tools: mcp__files__*\n')]))
    const [problem] = await problemsOf([HOST], { skills })
    expect(problem?.message).toMatch(/: skill-a, .*, skill-j and 2 more\. Give the agent these tools\.$/)
  })
})
