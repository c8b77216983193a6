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

type Style = 'scripts' | 'commands'

async function activate(style: Style, pre: readonly string[], options: Parameters<typeof openScripts>[0] = {}) {
  const world = await openScripts({ ...options, scripts: { hooks: style, ...options.scripts } }, {}, hooked(pre))
  return { ...world, outcome: await use(world.session, 'hooked') }
}

describe('hooks by the runner', () => {
  it.each<[Style, string, object]>([
    ['scripts', 'hooks/good.sh', { interpreter: 'sh', script: 'hooks/good.sh', args: [] }],
    ['scripts', './hooks/good.sh', { script: 'hooks/good.sh' }],
    ['scripts', 'hooks/run.mjs', { interpreter: 'node' }],
    ['commands', 'hooks/good.sh', { interpreter: 'sh', args: [] }],
    ['commands', './hooks/good.sh --a "b c"', { interpreter: 'sh', args: ['--a', 'b c'] }],
    ['commands', 'bash hooks/good.sh x', { interpreter: 'bash', script: 'hooks/good.sh', args: ['x'] }],
    ['commands', '/usr/bin/node ./hooks/run.mjs', { interpreter: 'node', script: 'hooks/run.mjs' }],
  ])('[ACT-13] [RUN-12] run as %s: %j', async (style, hook, job) => {
    const { outcome, runner } = await activate(style, [hook])
    expect(code(outcome)).toBe('ok')
    expect(runner.jobs).toMatchObject([job])
    expect(runner.jobs[0]?.files).toHaveLength(6)
  })

  it.each<[Style, string, string, RegExp]>([
    ['scripts', 'hooks/none.sh', 'HOOK_UNAVAILABLE', /"hooks\/none\.sh" is not a file of its folder/],
    ['scripts', 'hooks/good.sh x', 'HOOK_UNAVAILABLE', /is not a file/],
    ['scripts', '../other/x.sh', 'HOOK_UNAVAILABLE', /is not a file/],
    ['scripts', 'hooks/bad.sh', 'HOOK_FAILED', /failed: so far\n+not ready/],
    ['scripts', 'hooks/danger.sh', 'HOOK_FAILED', /dangerous pattern \(recursive force delete of a root\)/],
    ['commands', 'npm test', 'HOOK_FAILED', /begins with "npm", which is neither/],
    ['commands', 'curl https://example.com', 'HOOK_FAILED', /which is neither/],
    ['commands', 'bash -c "rm x"', 'HOOK_FAILED', /gives "bash" no script of the skill/],
    ['commands', 'bash /etc/profile', 'HOOK_FAILED', /gives "bash" no script of the skill/],
    ['commands', 'sh hooks/good.sh; id', 'HOOK_FAILED', /one script of the skill, or an interpreter and one/],
    ['commands', 'sh hooks/good.sh $(id)', 'HOOK_FAILED', /one script of the skill/],
    ['commands', 'A=1 sh hooks/good.sh', 'HOOK_FAILED', /one script of the skill/],
    ['commands', 'sh hooks/good.sh > out', 'HOOK_FAILED', /one script of the skill/],
    ['commands', 'ruby hooks/good.sh', 'HOOK_FAILED', /There is no ruby here/],
  ])('[ACT-13] as %s, %j stops the activation', async (style, hook, why, reason) => {
    const { outcome, session } = await activate(style, [hook])
    expect(outcome).toMatchObject(refusal(why, reason))
    expect(session.state.active).toStrictEqual([])
  })

  it('[ACT-13] [RUN-7] have 60 seconds, or what scripts have where that is less', async () => {
    const limits = { timeout: 90_000 }
    const { outcome, runner } = await activate('scripts', ['hooks/good.sh'], { scripts: { limits } })
    expect(code(outcome)).toBe('ok')
    expect(runner.jobs[0]?.limits.timeout).toBe(60_000)
    const short = await activate('scripts', ['hooks/wait.sh'], { scripts: { limits: { timeout: 200 } } })
    expect(short.runner.jobs[0]?.limits.timeout).toBe(200)
    expect(short.outcome).toMatchObject(refusal('HOOK_FAILED', /hooks\/wait\.sh" failed: .*may run for 200 ms/))
  })

  it('[ACT-13, OBS-1] are in the audit with what ran them, how they ended and how long they took', async () => {
    const sink = keeping()
    const options = { scripts: { hooks: 'scripts' }, audit: { sink } } as const
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
    const { session, runner } = await openScripts({ scripts: { hooks: 'scripts' } }, options, skills)
    await use(session, 'hooked')
    const saved = session.save()
    await call(session, 'deactivate_skill', {})
    expect(runner.jobs).toHaveLength(1)
    const boxed = processRunner({ isolation: { name: 'box', isolated: true, notes: [] } })
    const other = await openScripts({ scripts: { hooks: 'scripts', runner: boxed } }, { ...options, saved }, skills)
    await call(other.session, 'deactivate_skill', {})
    expect(other.session.state.active).toStrictEqual([])
    expect(boxed.jobs).toStrictEqual([])
    expect(problems).toStrictEqual([expect.stringMatching(/good\.sh" was not run: what would run it here is not what/)])
  })

  it('[RUN-12] are said in the request to be run by it', async () => {
    const requests: ConsentRequest[] = []
    const consent = (request: ConsentRequest): boolean => requests.push(request) > 0
    const asked = await openScripts({ scripts: { hooks: 'scripts' } }, { consent }, hooked(['hooks/good.sh']))
    await use(asked.session, 'hooked')
    expect(requests[0]).toMatchObject({ scripts: [], hooks: ['hooks/good.sh'], runner: { name: 'process' } })
  })

  it('[ACT-13] need a runner', async () => {
    await expect(openScripts({ scripts: { hooks: 'scripts', runner: undefined } })).rejects.toThrow(
      '`scripts.hooks` is for a runner, and there is none. Give `scripts.runner` too.',
    )
    await expect(openScripts({ scripts: { hooks: 'runner' as never } })).rejects.toThrow('`scripts.hooks` is "runner"')
  })
})
