import { describe, expect, it } from 'vitest'
import { adapterSession, type AdapterSession } from '../../../src/adapter.ts'
import type { ForkRequest, Outcome } from '../../../src/index.ts'
import { code } from '../outcome.ts'
import { skillText } from '../session-world.ts'
import { openScripts, run, scriptFiles, toolNames, use } from './script-world.ts'

const skills = {
  ...scriptFiles(),
  forked: {
    'SKILL.md': skillText('forked', 'context: fork\nallowed-tools: Read\n'),
    'scripts/forked.sh': 'echo forked',
  },
}

/** Runs the fork of a skill, and gives what its session does. */
async function inFork(parent: AdapterSession, work: (child: AdapterSession) => Promise<void>): Promise<Outcome> {
  await parent.step({ tools: ['Read'] })
  const fork = async ({ session }: ForkRequest): Promise<string> => {
    await work(adapterSession(session))
    return 'done'
  }
  return parent.call({ id: 'fork', tool: 'activate_skill', input: { name: 'forked' } }, () => '', { fork })
}

describe('scripts in a sub-agent', () => {
  it('[RUN-12] [ABUSE-45] run for its skill and those of the session above, where all their rules permit it', async () => {
    const { session, runner } = await openScripts({}, {}, skills)
    await use(session, 'tool')
    const outcome = await inFork(session, async (child) => {
      expect(await toolNames(child)).toContain('run_skill_script')
      expect(code(await run(child, 'scripts/forked.sh'))).toBe('ok')
      expect(code(await run(child, 'scripts/args.sh'))).toBe('TOOL_NOT_ALLOWED')
    })
    expect(outcome).toMatchObject({ ok: true })
    expect(runner.jobs.map(({ script }) => script)).toStrictEqual(['scripts/forked.sh'])
    expect(code(await run(session, 'scripts/forked.sh'))).toBe('RESOURCE_NOT_FOUND')
  })

  it('[RUN-12] [ABUSE-45] do not run past the rules of the session above', async () => {
    const { session, runner } = await openScripts({}, {}, skills)
    await use(session, 'reader')
    await inFork(session, async (child) => {
      expect(code(await run(child, 'scripts/forked.sh'))).toBe('TOOL_NOT_ALLOWED')
      expect(code(await run(child, 'scripts/own.sh'))).toBe('TOOL_NOT_ALLOWED')
      expect(await toolNames(child)).not.toContain('run_skill_script')
    })
    expect(runner.jobs).toStrictEqual([])
  })
})
