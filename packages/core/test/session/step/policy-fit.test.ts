import { describe, expect, test } from 'vitest'
import type { SessionProblem } from '../../../src/ports/problem.ts'
import type { HostPolicy } from '../../../src/ports/gate.ts'
import type { HostTools } from '../../../src/ports/tool.ts'
import { openRepertoire } from '../../../src/repertoire/repertoire.ts'

/** What a session with a policy reports over some steps, each with the host's tools in it. */
async function problemsOf(
  policy: HostPolicy,
  steps: readonly (readonly string[])[],
  tools: HostTools = {},
): Promise<readonly SessionProblem[]> {
  const problems: SessionProblem[] = []
  const repertoire = await openRepertoire({ sources: [], policy, tools })
  const session = repertoire.openSession({ onProblem: (problem) => problems.push(problem) })
  for (const names of steps) session.beginStep(names)
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
          "Rules of `policy.allow` (Grep, searchWeb(x)) and of `policy.deny` (Bash(rm:*), mcp__git__*) mean none of the host's tools here, so they do nothing. Name tools that the host has, or say in the option `tools` which of yours stand for these, such as { searchCode: 'Grep' }.",
      },
    ])
    expect(await problemsOf({ deny: ['Bash(rm:*)'] }, [HOST])).toMatchObject([
      { message: expect.stringMatching(/^Rules of `policy.deny` \(Bash\(rm:\*\)\) mean/) },
    ])
  })

  test('[GATE-10] is none where a tool stands for it, where it names a tool, and where no tools are known', async () => {
    const tools = { launchRocket: 'Bash' }
    expect(await problemsOf({ allow: ['Read', 'Bash(git:*)'], deny: ['Bash(rm:*)'] }, [HOST], tools)).toEqual([])
    expect(await problemsOf({ allow: HOST, deny: ['launchRocket(x)'] }, [HOST])).toEqual([])
    expect(await problemsOf({ allow: ['Grep'] }, [[]])).toEqual([])
    expect(await problemsOf({ protect: ['x'] }, [HOST])).toEqual([])
  })
})
