import { describe, expect, it } from 'vitest'
import type { AdapterSessionOptions } from '../../../src/adapter.ts'
import { keeping } from '../../audit/world.ts'
import type { ConsentRequest } from '../../../src/index.ts'
import { skillText } from '../session-world.ts'
import { code, refusal } from '../outcome.ts'
import { call, openScripts, processRunner, use } from './script-world.ts'

/** A skill with these hooks, and files that hooks may run. */
function hooked(pre: readonly string[], post: readonly string[] = []): Record<string, Record<string, string>> {
  const hooks = JSON.stringify({ pre, post })
  return {
    hooked: {
      'SKILL.md': skillText('hooked', `hooks: ${hooks}\n`),
      'hooks/good.sh': 'echo "good $*"',
      'hooks/bad.sh': 'echo so far; echo "not ready" >&2; exit 1',
      'hooks/danger.sh': 'rm -rf /',
      'hooks/wait.sh': 'sleep 60',
      'hooks/run.mjs': 'console.log(process.argv.slice(2))',
    },
  }
}

async function activate(pre: readonly string[], options: Parameters<typeof openScripts>[0] = {}) {
  const world = await openScripts({ ...options, scripts: { hooks: true, ...options.scripts } }, {}, hooked(pre))
  return { ...world, outcome: await use(world.session, 'hooked') }
}

describe('hooks by the runner', () => {
  it.each<[string, object]>([
    ['hooks/good.sh', { interpreter: 'sh', script: 'hooks/good.sh', args: [] }],
    ['./hooks/good.sh', { script: 'hooks/good.sh' }],
    ['hooks/run.mjs', { interpreter: 'node' }],
    ['./hooks/good.sh --a "b c"', { interpreter: 'sh', args: ['--a', 'b c'] }],
    ['bash hooks/good.sh x', { interpreter: 'bash', script: 'hooks/good.sh', args: ['x'] }],
    ['/usr/bin/node ./hooks/run.mjs', { interpreter: 'node', script: 'hooks/run.mjs' }],
  ])('[ACT-13] [RUN-12] run: %j', async (hook, job) => {
    const { outcome, runner } = await activate([hook])
    expect(code(outcome)).toBe('ok')
    expect(runner.jobs).toMatchObject([job])
    expect(runner.jobs[0]?.files).toHaveLength(6)
  })

  it.each<[string, string, RegExp]>([
    ['hooks/none.sh', 'HOOK_FAILED', /which is neither/],
    ['../other/x.sh', 'HOOK_FAILED', /which is neither/],
    ['hooks/bad.sh', 'HOOK_FAILED', /failed: so far\n+not ready/],
    ['hooks/danger.sh', 'HOOK_FAILED', /dangerous pattern \(recursive force delete of a root\)/],
    ['npm test', 'HOOK_FAILED', /begins with "npm", which is neither/],
    ['curl https://example.com', 'HOOK_FAILED', /which is neither/],
    ['bash -c "rm x"', 'HOOK_FAILED', /gives "bash" no script of the skill/],
    ['bash /etc/profile', 'HOOK_FAILED', /gives "bash" no script of the skill/],
    ['sh hooks/good.sh; id', 'HOOK_FAILED', /one script of the skill, or an interpreter and one/],
    ['sh hooks/good.sh $(id)', 'HOOK_FAILED', /one script of the skill/],
    ['A=1 sh hooks/good.sh', 'HOOK_FAILED', /one script of the skill/],
    ['sh hooks/good.sh > out', 'HOOK_FAILED', /one script of the skill/],
    ['ruby hooks/good.sh', 'HOOK_FAILED', /There is no ruby here/],
  ])('[ACT-13] %j stops the activation', async (hook, why, reason) => {
    const { outcome, session } = await activate([hook])
    expect(outcome).toMatchObject(refusal(why, reason))
    expect(session.state.active).toStrictEqual([])
  })

  it('[ACT-13] [RUN-7] have 60 seconds, or what scripts have if that is less', async () => {
    const limits = { timeout: 90_000 }
    const { outcome, runner } = await activate(['hooks/good.sh'], { scripts: { limits } })
    expect(code(outcome)).toBe('ok')
    expect(runner.jobs[0]?.limits.timeout).toBe(60_000)
    const short = await activate(['hooks/wait.sh'], { scripts: { limits: { timeout: 200 } } })
    expect(short.runner.jobs[0]?.limits.timeout).toBe(200)
    expect(short.outcome).toMatchObject(refusal('HOOK_FAILED', /hooks\/wait\.sh" failed: .*may run for 200 ms/))
  })

  it('[ACT-13, OBS-1] are in the audit with what ran them, how they ended and how long they took', async () => {
    const sink = keeping()
    const options = { scripts: { hooks: true }, audit: { sink } } as const
    const { session } = await openScripts(options, {}, hooked(['hooks/good.sh', 'hooks/bad.sh']))
    await use(session, 'hooked')
    await session.end()
    const run = { interpreter: 'sh', runner: 'process', isolation: 'none', isolated: false, network: false }
    expect(sink.events.filter(({ type }) => type.startsWith('hook.'))).toMatchObject([
      { type: 'hook.finished', run: { ...run, end: 'exited', exitCode: 0 }, durationMs: expect.any(Number) },
      { type: 'hook.failed', run: { ...run, end: 'exited', exitCode: 1 }, durationMs: expect.any(Number) },
    ])
  })

  it('[ACT-13] run after a deactivation too, by the runner that was agreed to', async () => {
    const problems: string[] = []
    const skills = hooked([], ['hooks/good.sh'])
    const options: AdapterSessionOptions = { onProblem: ({ message }) => problems.push(message) }
    const { session, runner } = await openScripts({ scripts: { hooks: true } }, options, skills)
    await use(session, 'hooked')
    const saved = session.save()
    await call(session, 'deactivate_skill', {})
    expect(runner.jobs).toHaveLength(1)
    const boxed = processRunner({ isolation: { name: 'box', isolated: true, notes: [] } })
    const other = await openScripts({ scripts: { hooks: true, runner: boxed } }, { ...options, saved }, skills)
    await call(other.session, 'deactivate_skill', {})
    expect(other.session.state.active).toStrictEqual([])
    expect(boxed.jobs).toStrictEqual([])
    expect(problems).toStrictEqual([expect.stringMatching(/good\.sh" was not run: what would run it here is not what/)])
  })

  it('[RUN-12] are said in the request to be run by it', async () => {
    const requests: ConsentRequest[] = []
    const consent = (request: ConsentRequest): boolean => requests.push(request) > 0
    const asked = await openScripts({ scripts: { hooks: true } }, { consent }, hooked(['hooks/good.sh']))
    await use(asked.session, 'hooked')
    expect(requests[0]).toMatchObject({ scripts: [], hooks: ['hooks/good.sh'], runner: { name: 'process' } })
  })

  it('[ACT-13] need a runner', async () => {
    await expect(openScripts({ scripts: { hooks: true, runner: undefined } })).rejects.toThrow(
      '`scripts.hooks` is for a runner, and there is none. Give `scripts.runner` too.',
    )
    await expect(openScripts({ scripts: { hooks: 'runner' as never } })).rejects.toThrow('`scripts.hooks` is "runner"')
  })
})
