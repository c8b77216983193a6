import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ModelEndpoint, openModelEndpoint } from '../../src/endpoint/endpoint.ts'
import { missedAims } from '../../src/scenarios/figures.ts'
import { runScenario } from '../../src/scenarios/run.ts'
import type { Scenario, ScenarioAgent } from '../../src/scenarios/scenario.ts'
import { scenarios } from '../../src/scenarios/scenarios.ts'
import { scriptedAgent } from '../../src/scenarios/scripted.ts'
import { type ChatBody, loopDriver, startLoop } from '../loop-driver.ts'

let endpoint: ModelEndpoint
beforeAll(async () => {
  endpoint = await openModelEndpoint()
})
afterAll(() => endpoint.close())

/** The weak model of a scenario over the small loop, whose requests may be changed on their way. */
function weak(tamper?: (body: ChatBody) => ChatBody): ScenarioAgent {
  const driver = loopDriver({ start: async (task) => startLoop(task, tamper) })
  return scriptedAgent({ driver, variant: driver.variants[0], endpoint })
}

const named = new Map(scenarios.map((each) => [each.id, each]))

function scenario(id: string): Scenario {
  return named.get(id)!
}

/** The requests without everything that a pattern finds in their texts. */
function without(pattern: RegExp): (body: ChatBody) => ChatBody {
  return (body) => JSON.parse(JSON.stringify(body).replaceAll(pattern, 'left out')) as ChatBody
}

describe('scenarios', () => {
  test('[LLM-1] have an id and a title of their own', () => {
    expect(named.size).toBe(scenarios.length)
    expect(new Set(scenarios.map(({ title }) => title)).size).toBe(scenarios.length)
    for (const { id } of scenarios) expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/)
  })

  test.each(scenarios.flatMap((each) => (['short', 'full'] as const).map((guidance) => ({ ...each, guidance, each }))))(
    '[LLM-1, NFR-7] $id leads a weak model from its mistake to the end with $guidance guidance, and shows it no script',
    async ({ each, guidance }) => {
      const result = await runScenario(each, weak(), { guidance })
      expect(result).toMatchObject({ scenario: each.id, passed: true, scriptsShown: 0, steps: each.weak.length })
      expect(result.tokens.input).toBeGreaterThan(result.tokens.output)
    },
  )

  test.each(scenarios)('[LLM-1] $id is not passed by a model that does nothing', async (each) => {
    const result = await runScenario(each, async () => ({ active: [] }))
    expect(result).toMatchObject({ passed: false, steps: 0, tokens: { input: 0, output: 0 } })
    expect(result.reason).toMatch(/does not exist|nothing was booked/)
  })

  test('[LLM-1, OBS-2] count the mistakes of the weak models', async () => {
    const results = new Map<string, Awaited<ReturnType<typeof runScenario>>>()
    for (const each of scenarios) results.set(each.id, await runScenario(each, weak()))
    expect(results.get('find-reference')).toMatchObject({ paths: { tried: 1, failed: 0, intended: 2 }, scriptReads: 0 })
    expect(results.get('run-script')).toMatchObject({ scriptReads: 2, scripts: { started: 1, succeeded: 1 } })
    expect(results.get('leave-skill')).toMatchObject({ violations: 1 })
    expect(results.get('tool-name')).toMatchObject({ violations: 0, paths: { tried: 0, failed: 0, intended: 0 } })
  })

  test.each(scenarios)(
    '[LLM-1] $id: of the paths that its script asks for, those that lead nowhere are the ones that it names',
    async (each) => {
      const { paths } = await runScenario(each, weak())
      expect(paths).toMatchObject({ failed: 0, intended: each.wrongPaths?.length ?? 0 })
    },
  )

  test('[LLM-1] a path that leads nowhere counts against the aim where no script meant it', async () => {
    const find = scenario('find-reference')
    const [activate, ...rest] = find.weak
    const astray = { calls: [{ tool: 'Read', input: { file_path: 'refs/rates.md' } }] }
    const result = await runScenario({ ...find, weak: [activate!, astray, ...rest] }, weak())
    expect(result).toMatchObject({ passed: true, paths: { tried: 2, failed: 1, intended: 2 } })
    expect(missedAims([{ model: 'm', results: [result] }])).toEqual([
      'm: 50 % of the paths lead nowhere; at most 5 % is the aim.',
    ])
    // One of them a second time is an error too, and so is each of them where the model is not the script.
    const again = await runScenario({ ...find, weak: [activate!, rest[0]!, ...rest] }, weak())
    expect(again).toMatchObject({ passed: true, paths: { tried: 2, failed: 1, intended: 2 } })
    const real: ScenarioAgent = async (task) => ({ active: (await weak()(task)).active })
    expect(await runScenario(find, real)).toMatchObject({ passed: true, paths: { tried: 3, failed: 2, intended: 0 } })
  })

  // What leads back is what core says: where it is taken away, the weak model is lost.
  test.each([
    ['find-reference', /relative paths/gi],
    ['run-script', /Run it with/g],
    ['object-arguments', /one JSON object/g],
    ['choose-skill', /The skills are/g],
    ['leave-skill', /when its work is done/g],
    ['own-names', /Here that is/g],
  ])('[LLM-1] %s is lost without the words that lead on', async (id, words) => {
    const result = await runScenario(scenario(id), weak(without(words)))
    expect(result).toMatchObject({ passed: false, stopped: 'error' })
    expect(result.reason).toMatch(/The text does not say how to continue/)
  })

  test('[LLM-1] leave-skill is not passed where the skill is still active', async () => {
    const agent: ScenarioAgent = async ({ tools, signal }) => {
      const write = tools.find(({ name }) => name === 'Write')!
      await write.execute({ file_path: 'winner.txt', content: 'Chiara\n' }, { callId: 'c', signal })
      return { active: ['count-votes'] }
    }
    const result = await runScenario(scenario('leave-skill'), agent)
    expect(result).toMatchObject({ passed: false, reason: 'no skill should be active at the end, but count-votes is.' })
  })

  test('[LLM-1] object-arguments is passed by one entry that is right, and by nothing else', async () => {
    const booking =
      (...entries: readonly unknown[]): ScenarioAgent =>
      async ({ tools, signal }) => {
        const add = tools.find(({ name }) => name === 'AddEntry')!
        for (const entry of entries) {
          await Promise.resolve(add.execute({ entry }, { callId: 'c', signal })).catch(() => undefined)
        }
        return { active: [] }
      }
    const right = { account: 6673, date: '2031-03-14', cents: 1290 }
    const passed = async (...entries: readonly unknown[]): Promise<boolean> =>
      (await runScenario(scenario('object-arguments'), booking(...entries))).passed
    expect(await passed(right)).toBe(true)
    expect(await passed('text', { ...right, cents: '1290' }, right)).toBe(true)
    expect(await passed(right, right)).toBe(false)
    expect(await passed({ ...right, account: 6610 })).toBe(false)
  })
})
