import { describe, expect, test } from 'vitest'
import { adapterSession, openAdapterSession } from '../../../src/adapter.ts'
import {
  type ForkRunner,
  type HostPolicy,
  type HostTools,
  type RepertoireOptions,
  type ScriptRunner,
  type SessionProblem,
  memorySource,
  openRepertoire,
} from '../../../src/index.ts'

/** What a session with a policy reports over some steps, each with the host's tools in it. */
async function problemsOf(
  policy: HostPolicy,
  steps: readonly (readonly string[])[],
  tools: HostTools = {},
  more: Partial<RepertoireOptions> = {},
): Promise<readonly SessionProblem[]> {
  const problems: SessionProblem[] = []
  const repertoire = await openRepertoire({ sources: [], policy, toolMap: tools, ...more })
  const session = openAdapterSession(repertoire, { onProblem: (problem) => problems.push(problem) })
  for (const names of steps) await session.step({ tools: names })
  return problems
}

const HOST = ['read_file', 'launchRocket']

describe("a rule of the host's policy that means none of its tools", () => {
  test('[GATE-10] is a problem, once, at the first step that has tools', async () => {
    const policy = { allow: ['Read', 'Grep', 'searchWeb(x)'], deny: ['Bash(rm:*)', 'mcp__git__*'] }
    expect(await problemsOf(policy, [[], HOST, HOST])).toEqual([
      {
        code: 'POLICY_UNMATCHED',
        message:
          "Rules of `policy.allow` (Grep, searchWeb(x)) and of `policy.deny` (Bash(rm:*), mcp__git__*) match no call of your tools, so they do nothing. Name tools that the agent has, or map yours in the option `toolMap`, such as { searchCode: 'Grep' }.",
      },
    ])
    expect(await problemsOf({ deny: ['Bash(rm:*)'] }, [HOST])).toMatchObject([
      { message: expect.stringMatching(/^Rules of `policy.deny` \(Bash\(rm:\*\)\) match no call/) },
    ])
    expect(await problemsOf({ allow: ['Read', 'Bash(git log|cat:*)'] }, [['Read', 'Bash']])).toMatchObject([
      { message: expect.stringMatching(/^Rules of `policy.allow` \(Bash\(git log\|cat:\*\)\) match no call/) },
    ])
  })

  test('[GATE-10] is not reported where a tool matches it, where it names a tool, or where no tools are known', async () => {
    const tools = { launchRocket: 'Bash' }
    expect(await problemsOf({ allow: ['Read', 'Bash(git:*)'], deny: ['Bash(rm:*)'] }, [HOST], tools)).toEqual([])
    expect(await problemsOf({ allow: HOST, deny: ['launchRocket(x)'] }, [HOST])).toEqual([])
    expect(await problemsOf({ allow: ['Grep'] }, [[]])).toEqual([])
    expect(await problemsOf({ protect: ['x'] }, [HOST])).toEqual([])
  })

  test('[GATE-10] is reported for the tool that runs scripts only if there is no runner', async () => {
    const policy: HostPolicy = { deny: ['run_skill_script(scripts/deploy*)'], ask: ['run_skill_script'] }
    const runner: ScriptRunner = {
      name: 'none',
      isolation: { name: 'none', isolated: false, notes: [] },
      supports: () => true,
      run: () => Promise.reject(new Error()),
    }
    expect(await problemsOf(policy, [HOST], {}, { scripts: { runner } })).toEqual([])
    expect(
      await problemsOf(policy, [HOST], {}, { scripts: { runner }, skillToolNames: { runScript: 'exec' } }),
    ).toEqual([])
    expect(await problemsOf(policy, [HOST])).toHaveLength(1)
  })

  test('[GATE-10] is said once for a session that is opened again at every step', async () => {
    const problems: SessionProblem[] = []
    const repertoire = await openRepertoire({ sources: [], policy: { allow: ['Grep'] } })
    for (const id of ['one', 'one', 'two']) {
      await openAdapterSession(repertoire, { id, onProblem: (problem) => problems.push(problem) }).step({ tools: HOST })
    }
    expect(problems).toHaveLength(2)
  })

  test('[GATE-10] is not said again of a sub-agent, which may have fewer tools', async () => {
    const problems: string[] = []
    const worker = '---\nname: worker\ndescription: Works apart.\ncontext: fork\n---\nWork.\n'
    const sources = [memorySource({ layer: 'project', skills: { worker: { 'SKILL.md': worker } } })]
    const repertoire = await openRepertoire({ sources, policy: { allow: ['Read'] } })
    const session = openAdapterSession(repertoire, {
      consent: () => true,
      onProblem: ({ code }) => problems.push(code),
    })
    await session.step({ tools: HOST })
    const call = { id: 'a', tool: 'activate_skill', input: { name: 'worker' } }
    const fork: ForkRunner = async ({ session: below }) => {
      await adapterSession(below).step({ tools: ['launchRocket'] })
      return { text: 'Done.' }
    }
    expect(await session.call(call, () => 'ran', { fork })).toMatchObject({ ok: true })
    expect(problems).toEqual([])
  })
})
