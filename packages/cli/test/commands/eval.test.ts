import { activate, openModelEndpoint, say, type ScriptStep, type WireRequest } from '@repertoire/conformance'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { inProcess, manifest, temporaryFolder, write } from '../command.ts'

const EVALS = JSON.stringify([
  { query: 'Fill the form.', should_trigger: true },
  { query: 'Read the form.', should_trigger: true },
  { query: 'Sing a song.', should_trigger: false },
])

/** Activates the skill for prompts about a form to be filled, and answers everything else. */
function model(request: WireRequest): ScriptStep {
  const [first] = request.messages
  const wants = first?.text.startsWith('Fill') === true && request.messages.length === 1
  return wants ? activate('pdf') : say('Done.')
}

async function setUp(steps = 60) {
  const cwd = await temporaryFolder()
  await write(cwd, {
    'skills/pdf/SKILL.md': manifest('pdf', '', 'Fills forms.'),
    'skills/pdf/evals/trigger-eval.json': EVALS,
    'skills/music/SKILL.md': manifest('music'),
  })
  const endpoint = await openModelEndpoint()
  onTestFinished(() => endpoint.close())
  const play = endpoint.play(Array.from({ length: steps }, () => model))
  const at = ['--root', 'skills', '--model', 'scripted', '--base-url', play.baseURL, '--api-key-env', 'MODEL_KEY']
  const env = { MODEL_KEY: play.apiKey }
  const run = (...args: readonly string[]) => inProcess(['eval', ...args], { cwd, env })
  return { cwd, run, at, play }
}

it('[EVAL-5] runs the evals of a skill N times and prints a table with intervals, misses and advice', async () => {
  const { run, at, cwd, play } = await setUp()
  const ended = await run('pdf', ...at, '--times', '2', '--logs', 'logs')
  expect(ended.stderr).toBe('')
  expect(ended.code).toBe(0)
  expect(ended.stdout).toMatch(/pdf +\| scripted, react-loop \| 2\/4 = 50 % \(15–85\) \| 0\/2 = 0 % \(0–66\)/)
  expect(ended.stdout).toMatch(
    /- pdf\/case-2 "Read the form\." \(scripted, react-loop, run 1, 2\): listed\. .* The description lacks: read/,
  )
  expect(ended.stdout).toContain('6 runs, 0 failed · 8 model calls')
  expect(play.requests).toHaveLength(8)
  const logs = await readdir(join(cwd, 'logs'))
  expect(logs).toHaveLength(6)
  expect(await readFile(join(cwd, 'logs', logs[0]!), 'utf8')).toMatch(/^\{.*"type":"skills\.shown"/m)
})

it('[EVAL-5] a file outside of a skill has to name it', async () => {
  const { run, at, cwd, play } = await setUp()
  await write(cwd, { 'mine.json': EVALS, 'ours.json': `{ "skill_name": "pdf", "evals": ${EVALS} }` })
  const lost = await run('mine.json', ...at, '--times', '1')
  expect(lost).toMatchObject({ code: 2, stdout: '' })
  expect(lost.stderr).toMatch(/mine\.json: case-1 names no skill\. Add "skill_name"/)
  expect(play.requests).toEqual([])
  expect((await run('ours.json', ...at, '--times', '1')).stdout).toMatch(/pdf .* 1\/2 = 50 %/)
})

it('[EVAL-5] a folder of logs that cannot be made is said before a model is asked', async () => {
  const { run, at, play } = await setUp()
  const ended = await run('pdf', ...at, '--times', '1', '--logs', 'skills/pdf/SKILL.md')
  expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/EEXIST|ENOTDIR/) })
  expect(play.requests).toEqual([])
})

it('[EVAL-2] each run has a log, whatever the names of cases are', async () => {
  const { run, at, cwd } = await setUp()
  const ids = ['案例一', '案例二', `${'long '.repeat(60)}1`, `${'long '.repeat(60)}2`, 'a b', 'a-b']
  const evals = ids.map((id) => ({ id, prompt: 'Sing.' }))
  await write(cwd, { 'mine.json': JSON.stringify({ skill_name: 'pdf', evals }) })
  expect(await run('mine.json', ...at, '--times', '2', '--logs', 'logs')).toMatchObject({ code: 0 })
  expect(await readdir(join(cwd, 'logs'))).toHaveLength(12)
})

it('[ABUSE-137] a password in the address is not repeated', async () => {
  const { run } = await setUp()
  const at = ['--root', 'skills', '--model', 'm', '--base-url', 'http://me:hunter2hunter2@127.0.0.1:1/v1']
  const ended = await run('pdf', ...at, '--times', '1')
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/^No run ended well\. Check --base-url/) })
  expect(ended.stdout + ended.stderr).not.toContain('hunter2')
})

it('[EVAL-5] thresholds decide the exit code', async () => {
  const { run, at } = await setUp()
  expect(await run('pdf', ...at, '--times', '1', '--min-triggered', '50')).toMatchObject({ code: 0, stderr: '' })
  const missed = await run('pdf', ...at, '--times', '1', '--min-triggered', '51', '--json')
  expect(missed.code).toBe(1)
  expect(missed.stderr).toBe('With scripted, pdf triggered less often than 51 %.\n')
  expect(JSON.parse(missed.stdout)).toMatchObject({ runs: 3, skills: [{ triggered: { hits: 1, total: 2 } }] })
})

it('[EVAL-4] records a tape, and replays it without a key and an address', async () => {
  const { run, at } = await setUp()
  const common = ['pdf', '--times', '1']
  const recorded = await run(...common, ...at, '--tape', 'tape')
  const replay = ['--root', 'skills', '--model', 'scripted', '--tape', 'tape']
  const replayed = await run(...common, ...replay)
  expect(replayed).toEqual(recorded)
  expect(replayed.stdout).toMatch(/^\| skill \| model/)
  const another = await run(...common, ...replay, '--times', '2')
  expect(another.code).toBe(1)
  expect(another.stderr).toMatch(/Failed 1×, first in pdf\/case-1, run 2: .*is missing, cut short or not a tape/)
  const thrice = await run(...common, ...replay, '--times', '3')
  expect(thrice.stderr.match(/^Failed 1×/gm)).toHaveLength(5)
  expect(thrice.stderr).toMatch(/\n1 more errors\.\n$/)
})

it('[EVAL-5] stops at the cap on model calls', async () => {
  const { run, at, play } = await setUp()
  const ended = await run('pdf', ...at, '--times', '10', '--max-calls', '5')
  expect(ended.code).toBe(1)
  expect(ended.stderr).toMatch(/Stopped after \d+ of 30 runs\./)
  expect(play.requests.length).toBeLessThanOrEqual(5)
})

it('[EVAL-5] says of a model that does not answer what to check, once for all runs', async () => {
  const { run } = await setUp()
  const at = ['--root', 'skills', '--model', 'x', '--base-url', 'http://127.0.0.1:1/v1']
  const ended = await run('pdf', ...at)
  expect(ended.code).toBe(1)
  expect(ended.stdout).toBe('9 runs, 9 failed · 9 model calls · 0 + 0 tokens\n')
  expect(ended.stderr).toMatch(
    /^No run ended well\. Check --base-url, --model .*\nFailed 9×, first in pdf\/case-1, run 1: .+\n$/,
  )
  const recording = await run('pdf', ...at, '--tape', 'tape')
  expect(recording.stderr).toMatch(/^Failed 9×, first in pdf\/case-1, run 1: step 1: .+\n$/m)
  const navigation = await run('--navigation', ...at, '--times', '1')
  expect(navigation.code).toBe(1)
  expect(navigation.stderr).toMatch(/Failed 4×/)
})

it('[EVAL-1] drafts a first file, which it can read', async () => {
  const { run, at, cwd } = await setUp()
  const drafted = await run('music', '--root', 'skills', '--init')
  expect(drafted.code).toBe(0)
  expect(drafted.stdout).toMatch(/Wrote .*\/skills\/music\/evals\/trigger-eval\.json\. .* give --model and --base-url/s)
  expect(JSON.parse(await readFile(join(cwd, 'skills/music/evals/trigger-eval.json'), 'utf8'))).toMatchObject([
    { query: 'What music is for.', should_trigger: true },
    { query: 'Fills forms.', should_trigger: false, owner: 'pdf' },
    { should_trigger: false },
  ])
  expect((await run('music', ...at, '--times', '1')).code).toBe(0)
  expect(await run('music', '--root', 'skills', '--init')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/exists already/),
  })
})

it('[LLM-1] shows by model how it finds its way in skills', async () => {
  const { run, at } = await setUp()
  const ended = await run('--navigation', ...at, '--times', '1', '--model', 'another')
  expect(ended.code).toBe(0)
  expect(ended.stdout).toMatch(/^scripted: 0 of 0 paths led nowhere .* 4 runs\nanother: .*\nTokens .* differ by 0 %/)
})

it.each([
  [['none'], /There is no skill "none" with evals, and no such file\. Draft some with --init/],
  [['music'], /There is no skill "music" with evals/],
  [['pdf'], /--model is missing\. Name one: --model /],
  [['pdf', '--model', 'x'], /Give --base-url to ask a model/],
  [['pdf', '--model', 'x', '--tape', 'none'], /There is no tape in .*none\. .*--tape to replay a tape that exists/],
  [['pdf', '--model', 'x', '--times', '0'], /Give a whole number from 1 to 1000/],
  [['pfd', '--init'], /"pfd".*pdf/],
  [['pdf', 'music', '--init'], /--init drafts the evals of one skill: repertoire eval SKILL --init/],
  [['pdf', '--model', 'x', '--base-url', 'http://127.0.0.1:1', '--api-key-env', 'NO_KEY'], /NO_KEY is empty/],
  [['bad.json'], /bad\.json:1: no case was found/],
])('[EVAL-5] a wrong command says what to do: %j', async (args, message) => {
  const { run, cwd } = await setUp()
  await write(cwd, { 'bad.json': '{}' })
  const ended = await run(...args, '--root', 'skills')
  expect(ended.code).toBe(2)
  expect(ended.stderr).toMatch(message)
})
