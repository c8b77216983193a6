import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { adapterSession } from '@repertoire/core/adapter'
import { describe, expect, test } from 'vitest'
import { runScenario } from '../../src/scenarios/run.ts'
import type { ScenarioAgent, ScenarioTask } from '../../src/scenarios/scenario.ts'
import { scenarios } from '../../src/scenarios/scenarios.ts'

const seal = scenarios.find(({ id }) => id === 'run-script')!

/** A model that asks and asks. */
const endless: ScenarioAgent = async (task) => {
  for (;;) {
    task.beforeCall([])
    await Promise.resolve()
    task.afterCall({ inputTokens: 900, outputTokens: 100 })
  }
}

/** An agent that gives its task away, and then does as it is told. */
function spied(then: ScenarioAgent): { readonly agent: ScenarioAgent; readonly task: Promise<ScenarioTask> } {
  const { promise, resolve } = Promise.withResolvers<ScenarioTask>()
  return { task: promise, agent: (task) => (resolve(task), then(task)) }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))

describe('runScenario', () => {
  test('[LLM-1] ends a run that takes too many calls, tokens or too long, and says which', async () => {
    const steps = await runScenario(seal, endless, { limits: { steps: 3 } })
    expect(steps).toMatchObject({ passed: false, stopped: 'steps', steps: 3, tokens: { input: 2700, output: 300 } })
    expect(steps.reason).toContain('3 calls')
    const tokens = await runScenario(seal, endless, { limits: { tokens: 2000 } })
    expect(tokens).toMatchObject({ passed: false, stopped: 'tokens', steps: 2 })
    expect(tokens.reason).toContain('2000')
    const time = await runScenario(seal, ({ signal }) => aborted(signal), { limits: { time: 1 } })
    expect(time).toMatchObject({ passed: false, stopped: 'time', steps: 0 })
  })

  test('[LLM-1] believes no agent that takes a limit for its end', async () => {
    const polite: ScenarioAgent = async (task) => {
      await endless(task).catch(() => undefined)
      return { active: [] }
    }
    expect(await runScenario(seal, polite, { limits: { steps: 2 } })).toMatchObject({ passed: false, stopped: 'steps' })
  })

  test('[LLM-1] makes a failure of the agent a result', async () => {
    const failing: ScenarioAgent = async () => {
      throw new Error('the wire is cut')
    }
    expect(await runScenario(seal, failing)).toMatchObject({
      passed: false,
      stopped: 'error',
      reason: 'the wire is cut',
    })
  })

  test('[LLM-1] removes its folder, however the run ends', async () => {
    for (const then of [endless, async () => ({ active: [] })]) {
      const { agent, task } = spied(then)
      const running = runScenario(seal, agent)
      const { cwd } = (await task).session
      expect(existsSync(cwd!)).toBe(true)
      await running
      expect(existsSync(dirname(cwd!))).toBe(false)
    }
  })

  test('[LLM-1] rejects with the reason of the signal, and removes its folder', async () => {
    const stop = new AbortController()
    const { agent, task } = spied(({ signal }) => aborted(signal))
    const running = runScenario(seal, agent, { signal: stop.signal })
    const { cwd } = (await task).session
    const reason = new Error('enough')
    stop.abort(reason)
    await expect(running).rejects.toBe(reason)
    expect(existsSync(dirname(cwd!))).toBe(false)
    await expect(runScenario(seal, agent, { signal: stop.signal })).rejects.toBe(reason)
  })

  test('[LLM-1] counts every call that shows the model a script', async () => {
    const agent: ScenarioAgent = async (task) => {
      const read = task.tools.find(({ name }) => name === 'Read')!
      const text = await read.execute({ file_path: '../skills/seal-letter/scripts/seal.mjs' }, { callId: 'c' })
      task.beforeCall(['nothing'])
      // The conversation is sent anew with every call.
      task.beforeCall(['before', String(text)])
      task.beforeCall(['before', String(text), 'more'])
      return { active: [] }
    }
    expect(await runScenario(seal, agent)).toMatchObject({ scriptsShown: 1, steps: 3, paths: { tried: 1, failed: 0 } })
  })

  test('[LLM-1, OBS-2] counts what the session refuses', async () => {
    const agent: ScenarioAgent = (task) =>
      task.repertoire.runTask(task.session, async (session) => {
        adapterSession(session).beginStep(task.tools.map(({ name }) => name))
        await session.call({ id: '1', tool: 'activate_skill', input: { name: 'seal-letter' } }, () => '')
        adapterSession(session).beginStep(task.tools.map(({ name }) => name))
        for (const [id, path] of ['scripts/seal.mjs', 'no.md', '../x'].entries()) {
          await session.call({ id: `r${id}`, tool: 'read_skill_resource', input: { path } }, () => '')
        }
        return { active: session.activeSkills }
      })
    expect(await runScenario(seal, agent)).toMatchObject({ scriptReads: 1, paths: { tried: 2, failed: 2 } })
  })
})
