import { describe, expect, it } from 'vitest'
import { keeping } from '../../audit/world.ts'
import { type ConsentRequest, createCounters } from '../../../src/index.ts'
import { code } from '../outcome.ts'
import { processRunner } from '../scripts/script-world.ts'
import { activeOf, call, openExecution, typed } from './execution-world.ts'

const SCRIPT = 'echo "$PARAM_WHO and $1"; cat data/list.txt; pwd | wc -l'
const SKILLS = {
  who: {
    ...typed('who', 'script', SCRIPT, 'parameters:\n  who: { type: string, required: true }\n', 'sh'),
    'data/list.txt': 'one\ntwo\n',
  },
  words: typed('words', 'script', 'echo "$1|$2"', '', 'bash'),
  fails: typed('fails', 'script', 'echo no >&2; exit 3', '', 'sh'),
  wipes: typed('wipes', 'script', 'rm -rf /', '', 'sh'),
}

describe('a script skill', () => {
  it('[RUN-3] is run by the runner with its parameters, beside the files of its folder', async () => {
    const runner = processRunner()
    const { session } = await openExecution(SKILLS, {}, { scripts: { runner } })
    const outcome = await call(session, 'who', { who: '$(id); "x' })
    expect(outcome).toMatchObject({
      ok: true,
      value: { type: 'script', interpreter: 'sh', end: 'exited', exitCode: 0 },
    })
    expect(outcome.text).toContain('<skill_output skill="who" exit="0">\n$(id); "x and \none\ntwo\n')
    expect((await call(session, 'words', 'a "b c"')).text).toContain('a|b c')
    expect(activeOf(session)).toEqual([])
  })

  it('[RUN-3] fails as a result, and is counted', async () => {
    const counters = createCounters()
    const sink = keeping()
    const { session } = await openExecution(
      SKILLS,
      {},
      { scripts: { runner: processRunner() }, audit: { sink: [sink, counters] } },
    )
    const outcome = await call(session, 'fails')
    expect(outcome).toMatchObject({ ok: true, value: { exitCode: 3, failed: true } })
    expect(outcome.text).toContain('[The script failed with exit code 3.]')
    await call(session, 'words', 'a b')
    await session.end()
    const events = sink.events.filter(({ type }) => type.startsWith('execution.'))
    expect(events).toMatchObject([
      {
        type: 'execution.started',
        script: { skill: 'fails', path: 'SKILL.md' },
        run: { interpreter: 'sh', runner: 'process', isolation: 'none', isolated: false, network: false },
      },
      { type: 'execution.finished', outcome: 'failed', run: { interpreter: 'sh', runner: 'process', exitCode: 3 } },
      { type: 'execution.started', run: { interpreter: 'bash' } },
      { type: 'execution.finished', outcome: 'succeeded', run: { interpreter: 'bash' } },
    ])
    expect(JSON.stringify(counters)).toBeDefined()
  })

  it('[RUN-6, RUN-3] is refused by name where it holds a dangerous pattern, before anybody is asked', async () => {
    let asked = 0
    const runner = processRunner()
    const { session } = await openExecution(SKILLS, { consent: () => ++asked > 0 }, { scripts: { runner } })
    const outcome = await call(session, 'wipes')
    expect(code(outcome)).toBe('SCRIPT_DANGEROUS')
    expect(outcome.text).toContain('recursive force delete of a root')
    expect([asked, runner.jobs]).toEqual([0, []])
  })

  it('[RUN-3, ASK-2] asks with what would run it, and says that a call runs it', async () => {
    const asked: ConsentRequest[] = []
    const consent = (request: ConsentRequest) => {
      asked.push(request)
      return true
    }
    const { session } = await openExecution(SKILLS, { consent }, { scripts: { runner: processRunner() } })
    await call(session, 'words', 'a b')
    expect(asked[0]).toMatchObject({
      execution: { type: 'script', language: 'bash' },
      runner: { name: 'process', isolated: false },
    })
    expect(asked[0]?.text).toContain('when called:   it runs the script in its SKILL.md (bash)')
    expect(asked[0]?.text).toContain('NOT ISOLATED')
  })

  it('[RUN-3] is stopped with the signal of its call, and at the end of the session', async () => {
    const sleeps = { sleeps: typed('sleeps', 'script', 'sleep 60', '', 'sh') }
    const begun = Promise.withResolvers<void>()
    const real = processRunner()
    const runner = processRunner({
      run(job) {
        begun.resolve()
        return real.run(job)
      },
    })
    const { session } = await openExecution(sleeps, {}, { scripts: { runner } })
    const outcome = call(session, 'sleeps')
    await begun.promise
    await session.end()
    expect(code(await outcome)).toBe('SESSION_ENDED')
  })
})
