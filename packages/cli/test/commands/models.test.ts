import {
  type AdapterDriver,
  figuresOf,
  missedAims,
  type ModelEndpoint,
  type ModelRun,
  openModelEndpoint,
  type Play,
  type ProtocolName,
  runScenario,
  type ScenarioResult,
  type ScriptStep,
  scenarios,
  scriptedAgent,
  tokenSpread,
  type Variant,
} from '@repertoire/conformance'
import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_ADAPTERS, loadDrivers } from '../../src/commands/adapters.ts'
import type { ModelReport } from '../../src/output/model-table.ts'
import { cleanEnv, type Ended, inProcess, MAIN, NODE_ARGS, repertoire, temporaryFolder } from '../command.ts'

let endpoint: ModelEndpoint
beforeAll(async () => {
  endpoint = await openModelEndpoint()
})
afterAll(() => endpoint.close())

const PROTOCOLS = ['openai', 'anthropic', 'gemini'] as const
const EVERYTHING = scenarios.flatMap(({ weak }) => weak)

/** What makes a play the endpoint of its vendor, under the model's name `small`. */
function vendor(protocol: ProtocolName, { apiKey, baseURL }: Play): Record<string, string> {
  const prefix = protocol.toUpperCase()
  return { [`${prefix}_API_KEY`]: apiKey, [`${prefix}_BASE_URL`]: baseURL, [`${prefix}_MODEL`]: 'small' }
}

/** One of each protocol and dialect, streamed and not by turns: all of them in CI, and two where people wait. */
function variantsOf({ variants }: AdapterDriver): readonly Variant[] {
  const groups = Map.groupBy(variants, ({ protocol, dialect }) => `${protocol} ${dialect?.name}`)
  const chosen = [...groups.values()].map((group, index) => group[index % group.length]!)
  return process.env['CI'] === undefined ? chosen.slice(0, 2) : chosen
}

function parsed({ stdout }: Pick<Ended, 'stdout'>): ModelReport {
  return JSON.parse(stdout) as ModelReport
}

describe('models, live', () => {
  it('[LLM-1] runs every scenario against the endpoint of every vendor whose key is set', async () => {
    const cwd = await temporaryFolder()
    const plays = PROTOCOLS.map((protocol) => endpoint.play(EVERYTHING, { protocol }))
    const env = Object.assign({ TMPDIR: cwd }, ...plays.map((play, index) => vendor(PROTOCOLS[index]!, play)))
    const ended = await repertoire(['models', '--json', '--output', 'models.json'], { cwd, env })
    expect(plays.map(({ failures }) => failures)).toEqual([[], [], []])

    const written = await readFile(join(cwd, 'models.json'), 'utf8')
    const report = parsed({ stdout: written })
    expect(report).toMatchObject({ ran: true, scripted: false, stopped: false })
    expect(report.models.map(({ model }) => model)).toEqual(['openai:small', 'anthropic:small', 'gemini:small'])
    for (const [index, { figures, results, problem }] of report.models.entries()) {
      expect(problem).toBeUndefined()
      expect(results.map(({ scenario, passed }) => [scenario, passed])).toEqual(scenarios.map(({ id }) => [id, true]))
      // Two of the three paths that the first scenario tries are its mistakes.
      expect(figures).toMatchObject({ passed: 7, paths: { tried: 5, failed: 2 }, scriptsShown: 0, scriptReads: 2 })
      expect(figures).toMatchObject({ violations: 2, scripts: { started: 2, succeeded: 2, rate: 1 } })
      expect(figures.steps).toBe(plays[index]!.requests.length)
      expect(figures.tokens.input).toBeGreaterThan(0)
      // What the session has on record of the calls under the skill is nearly all of it.
      const [{ skills, tokens }] = results as [ScenarioResult]
      expect(skills).toMatchObject([{ name: 'parcel-rates', executions: 1 }])
      expect(skills[0]!.tokensPerExecution).toBeGreaterThan(tokens.input / 2)
      expect(skills[0]!.tokensPerExecution).toBeLessThan(tokens.input + tokens.output)
      // Every request says what an answer may take.
      for (const { raw } of plays[index]!.requests) expect(JSON.stringify(raw)).toMatch(/max_?(output_?)?tokens":4096/i)
    }
    // The scripts' paths are wrong on purpose, and only that aim is missed: one behaviour over three protocols.
    expect(report.missed.filter((missed) => !/40 % of the paths/.test(missed))).toEqual([])
    expect(report.spread.map(({ scenario }) => scenario)).toEqual(scenarios.map(({ id }) => id))

    expect(ended.code).toBe(1)
    expect(ended.stdout).toMatch(
      /openai:small +anthropic:small +gemini:small +aim\npassed +7 of 7 +7 of 7 +7 of 7 +all\n/,
    )
    expect(ended.stdout).toMatch(/\npaths to nowhere +40 % \(2 of 5\) ✗ /)
    expect(ended.stderr).toMatch(
      /^3 models, 7 scenarios each\. .* 15 calls, 60,000 tokens or 3 minutes.* 1,260,000 tokens/,
    )
    for (const { apiKey } of plays) expect(ended.stdout + ended.stderr + written).not.toContain(apiKey)
    expect(await readdir(cwd)).toEqual(['models.json'])
  })

  it('[LLM-1] asks a server that was named for the model that was named', async () => {
    const cwd = await temporaryFolder()
    const [scenario] = scenarios
    const play = endpoint.play(scenario!.weak)
    const env = { OPENAI_API_KEY: play.apiKey }
    const args = ['models', '--base-url', play.baseURL, '--model', 'openai:one:8b', '--scenario', scenario!.id]
    const ended = await inProcess([...args, '--json'], { cwd, env })
    expect(play.failures).toEqual([])
    expect(parsed(ended).models).toMatchObject([{ model: 'openai:one:8b', figures: { passed: 1, scenarios: 1 } }])
    expect(play.requests.map(({ raw }) => (raw as { model: string }).model)).toEqual(scenario!.weak.map(() => 'one:8b'))
  })

  it('[LLM-1] needs no key for a server of its own, asks it for several models, and bears that it does not count', async () => {
    const cwd = await temporaryFolder()
    const asked: { readonly authorization: string | undefined; readonly model: string }[] = []
    const server = createServer(async (request, response) => {
      const { model } = JSON.parse(await text(request)) as { model: string }
      asked.push({ authorization: request.headers.authorization, model })
      const message = { role: 'assistant', content: 'I do not know how.' }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ id: 'x', model, choices: [{ index: 0, message, finish_reason: 'stop' }] }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = server.address() as AddressInfo
      const named = ['--base-url', `http://127.0.0.1:${port}/v1/`, '--model', 'openai:a', '--model', 'openai:b']
      const ended = await inProcess(['models', ...named, '--scenario', 'run-script', '--json'], { cwd })
      expect(ended.code).toBe(1)
      const { models } = parsed(ended)
      expect(models).toMatchObject([{ model: 'openai:a' }, { model: 'openai:b' }])
      for (const { figures, results } of models) {
        expect(results).toMatchObject([{ passed: false, steps: 1, reason: expect.stringContaining('letter.txt.seal') }])
        expect(figures.tokens.input).toBeGreaterThan(100)
        expect(figures.tokens.output).toBeGreaterThan(0)
      }
      const noKey = { authorization: undefined }
      expect(asked.toSorted((a, b) => a.model.localeCompare(b.model))).toEqual([
        { ...noKey, model: 'a' },
        { ...noKey, model: 'b' },
      ])
    } finally {
      server.close()
    }
  })

  it('[LLM-1] shows a key that is refused to nobody, and asks no further', async () => {
    const cwd = await temporaryFolder()
    for (const protocol of PROTOCOLS) {
      const play = endpoint.play(EVERYTHING, { protocol })
      const key = 'sk-not-the-right-one-123456'
      const env = { ...vendor(protocol, play), [`${protocol.toUpperCase()}_API_KEY`]: key }
      for (const more of [[], ['--json']]) {
        const { code, stdout, stderr } = await inProcess(['models', ...more], { cwd, env })
        expect(code).toBe(1)
        expect(stdout).toContain('endpoint')
        expect(stdout + stderr).not.toContain(key)
        expect(stdout + stderr).not.toContain('123456')
        expect(stdout).toMatch(/rejected the key \(40[0-9]\). Check /)
        if (more.length === 0) expect(stdout).toMatch(/passed +0 of 1 ✗/)
      }
      expect(play.requests).toEqual([])
    }
  })

  it('[LLM-1] tells of an endpoint that is not there or answers with an error', async () => {
    const cwd = await temporaryFolder()
    const gone = endpoint.play([])
    gone.close()
    const lost = await inProcess(['models', '--base-url', gone.baseURL, '--model', 'openai:x'], { cwd })
    expect(lost.code).toBe(1)
    expect(lost.stdout).toMatch(/✗ openai:x: There is no model "x" at http.* \(404\)/)

    // Some servers say what they were sent.
    const echo = (): ScriptStep => ({ status: 400, message: `no such field beside ${play.apiKey}.` })
    const play: Play = endpoint.play([echo, ...scenarios[1]!.weak])
    const args = ['models', '--scenario', scenarios[0]!.id, '--scenario', scenarios[1]!.id, '--json']
    const ended = await inProcess(args, { cwd, env: vendor('openai', play) })
    expect(parsed(ended).models[0]!.results).toMatchObject([
      { passed: false, stopped: 'error', reason: expect.stringMatching(/\(400\).*no such field beside \[key\]\./) },
      { passed: true },
    ])
    expect(ended.stdout).not.toContain(play.apiKey)
  })

  it('[LLM-1] stops with Ctrl+C, shows what was done, and leaves no folder behind', async () => {
    const cwd = await temporaryFolder()
    const [first] = scenarios
    const asked = Promise.withResolvers<void>()
    const never = new Promise<void>(() => {})
    const play = endpoint.play([
      ...first!.weak,
      () => {
        asked.resolve()
        return { hold: never, next: { text: '' } }
      },
    ])
    const env = { ...cleanEnv(), TMPDIR: cwd, ...vendor('openai', play) }
    const child = spawn(process.execPath, [...NODE_ARGS, MAIN, 'models'], { cwd, env })
    const [stdout, stderr] = [text(child.stdout), text(child.stderr)]
    await asked.promise
    child.kill('SIGINT')
    const code = await new Promise((resolve) => child.once('close', resolve))
    expect(code).toBe(2)
    expect(await stdout).toMatch(/passed +1 of 1 /)
    expect(await stdout).not.toContain('Every aim was met')
    expect(await stderr).toContain('error: The run was stopped')
    expect(await readdir(cwd)).toEqual([])
  })
})

describe('models', () => {
  it('[LLM-1] says in one line that nothing ran where no key is set, and fails only with --require', async () => {
    const cwd = await temporaryFolder()
    const ended = await inProcess(['models'], { cwd, env: { OPENAI_API_KEY: ' ' } })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.stdout).toMatch(
      /^No model was run: .*OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY.*--base-url\.\n$/,
    )
    const json = await inProcess(['models', '--json'], { cwd })
    expect(json.code).toBe(0)
    expect(parsed(json)).toMatchObject({ ran: false, models: [], missed: [] })
    const required = await inProcess(['models', '--require'], { cwd })
    expect(required).toMatchObject({ code: 2, stdout: '' })
    expect(required.stderr).toContain('No model was run')
  })

  it('[LLM-1] plays the mistakes of weak models over every protocol, shows none a script, and prints what docs/command.md shows', async () => {
    const cwd = await temporaryFolder()
    const ended = await inProcess(['models', '--scripted', '--json', '--output', 'models.json'], { cwd })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    const report = parsed({ stdout: await readFile(join(cwd, 'models.json'), 'utf8') })
    expect(report).toMatchObject({ ran: true, scripted: true, missed: [] })
    expect(report.models.map(({ model }) => model)).toEqual(
      ['openai', 'text', 'openai-responses', 'anthropic', 'gemini'].map((protocol) => `script over ${protocol}`),
    )
    for (const { figures } of report.models) {
      expect(figures).toMatchObject({ passed: 7, scenarios: 7, scriptsShown: 0, scriptReads: 2, violations: 2 })
    }
    const page = await readFile(new URL('../../../../docs/command.md', import.meta.url), 'utf8')
    const documented = /\$ repertoire models --scripted\n([^]*?)```/.exec(page)![1]!
    // A few tokens more or less: the name of the temporary folder is part of what is sent.
    const withoutTokens = (table: string): string =>
      table.replaceAll(/[\d,]+ \+ [\d,]+|[\d.]+ %$/gm, '#').replaceAll(/ +/g, ' ')
    expect(withoutTokens(documented)).toBe(withoutTokens(ended.stdout))
    const one = await inProcess(['models', '--scripted', '--scenario', 'run-script'], { cwd })
    expect(one.stdout).toMatch(/passed +1 of 1 [^]*\n {2}run-script .* 0 %\n[^]*Every aim was met\.\n$/)
  })

  // Where people wait for the tests, one adapter is enough: each plays the whole conformance suite.
  it.each(process.env['CI'] === undefined ? DEFAULT_ADAPTERS.slice(-1) : DEFAULT_ADAPTERS)(
    '[LLM-1] %s leads weak models back over every protocol, for about the same tokens',
    async (name) => {
      const [driver] = await loadDrivers([name])
      const runs: ModelRun[] = []
      for (const variant of variantsOf(driver!)) {
        const agent = scriptedAgent({ driver: driver!, variant, endpoint })
        const results: ScenarioResult[] = []
        for (const scenario of scenarios) results.push(await runScenario(scenario, agent))
        const bad = results.filter(({ passed, scriptsShown }) => !passed || scriptsShown > 0)
        expect({ variant: variant.name, bad }).toEqual({ variant: variant.name, bad: [] })
        runs.push({ model: variant.name, results })
      }
      expect(tokenSpread(runs)).toHaveLength(scenarios.length)
      // What the scripts ask for on purpose is counted apart: every other path is held to the aim.
      expect(missedAims(runs)).toEqual([])
      for (const run of runs) {
        expect(figuresOf(run).paths).toEqual({ tried: 3, failed: 0, intended: 2, rate: 0 })
      }
    },
  )

  it('[LLM-1] ends with 2 for a model, a scenario, an address or a file that is none', async () => {
    const cwd = await temporaryFolder()
    const secret = 'http://me:secret@127.0.0.1/v1'
    for (const [args, said, env] of [
      [['--model', 'gpt'], /--model gpt does not name a model.*openai, anthropic, gemini/],
      [['--model', 'constructor:x'], /does not name a model/],
      [['--model', 'openai:'], /does not name a model/],
      [['--model', 'anthropic:x'], /needs a key\. Set ANTHROPIC_API_KEY/],
      [['--model', 'gemini:x'], /GEMINI_API_KEY or GOOGLE_API_KEY/],
      [['--scenario', 'constructor'], /no scenario "constructor".*find-reference/],
      [['--base-url', 'localhost'], /--base-url is not an address/],
      [['--base-url', secret, '--model', 'openai:x'], /--base-url holds a password/],
      [['--base-url', 'http://127.0.0.1/v1'], /--base-url names a server, but not a model.*OPENAI_MODEL/],
      [['--base-url', 'http://127.0.0.1/v1', '--model', 'gemini:x'], /none is named/, { GEMINI_API_KEY: 'k' }],
      [['--scripted', '--model', 'openai:x'], /--scripted plays models of its own/],
      [['--output', 'gone/x.json'], /there is no folder/],
      [[], /OPENAI_BASE_URL names a server, but not a model/, { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://h/v1' }],
      [[], /OPENAI_API_KEY contains characters/, { OPENAI_API_KEY: 'two words-secret' }],
    ] as const) {
      const ended = await inProcess(['models', ...args], { cwd, env })
      expect({ args, ...ended }).toMatchObject({ args, code: 2, stdout: '' })
      expect(ended.stderr).toMatch(said)
      expect(ended.stderr).not.toContain('secret@')
      expect(ended.stderr).not.toContain('words-secret')
    }
  })
})
