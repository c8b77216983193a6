import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { embedLogs } from '../src/export.ts'
import { changesOf } from '../src/model/changes.ts'
import { callDetail, stepDetail } from '../src/model/detail.ts'
import { createLog } from '../src/model/log.ts'
import { overviewOf } from '../src/model/overview.ts'
import { questionsOf, type Run } from '../src/model/run.ts'
import { search } from '../src/model/search.ts'
import { skillsOf } from '../src/model/skills.ts'
import { indexOf, ROW_KINDS, type Row, type RowIndex, rowOf } from '../src/model/timeline.ts'
import { NO_CHANGES } from '../src/model/what-if-settings.ts'
import { whatIf } from '../src/model/what-if.ts'
import { windowOf } from '../src/model/window.ts'
import { logOf, read, runOf, SAFE_EDIT, SAMPLE, shown, type Written } from './log.ts'

function rowsOf(run: Run, { kind, step, item }: RowIndex = indexOf(run)): readonly Row[] {
  return [...kind.keys()].map((at) => rowOf(run, { kind: ROW_KINDS[kind[at]!]!, step: step[at]!, item: item[at]! })!)
}

const sample = (): Run => runOf(SAMPLE)

it('[SEE-1] the sample that opens without a log is the run in which every skill has another fate', () => {
  const sampleLog = readFileSync(join(import.meta.dirname, '../sample.jsonl'), 'utf8')
  expect(sampleLog).toBe(logOf(SAMPLE.map((event) => ({ agent: 'docs-bot', ...event }))))
})

it('[SEE-1] reads a log in pieces of any size to the same runs', () => {
  const text = logOf(SAMPLE)
  const whole = overviewOf(read(text))
  for (const size of [1, 7, 1_000]) {
    const log = createLog()
    for (let at = 0; at < text.length; at += size) log.addText('audit.jsonl', text.slice(at, at + size), false)
    log.addText('audit.jsonl', '', true)
    expect(overviewOf(log)).toEqual(whole)
  }
  expect(whole.events).toBe(SAMPLE.length)
})

it('[SEE-4] says which lines it left out', () => {
  const line = logOf([shown(1)]).trimEnd()
  const text = `${line}\n{"version":1,"ty${line}\n{"version":2,"type":"x"}\n[1]\nnot JSON\n\n{"version":1,"type":5}\n${line.slice(0, 40)}`
  const { leftOut, events } = read(text)
  expect(events).toBe(1)
  expect([...leftOut.values()]).toEqual([{ log: 'audit.jsonl', count: 6, line: 2 }])
})

it('[SEE-4] says what an exported page has left out before', async () => {
  const { leftOut, runs } = read(`torn\n${logOf([shown(1)])}[1]\n`)
  const [exported] = await embedLogs({ ...read(''), leftOut, runs })
  const again = read(gunzipSync(Buffer.from(exported?.data ?? '', 'base64')).toString())
  expect([again.events, ...again.leftOut.values()]).toEqual([1, { log: 'audit.jsonl', count: 2, line: 1 }])
})

it('[SEE-2] an event that lacks what it is about is left out, and said', () => {
  const { leftOut, events } = read(
    logOf([
      { type: 'skills.shown', shown: { step: 'x' } as never },
      { type: 'consent.asked', consent: { request: 5 } as never },
      { type: 'consent.answered' },
    ]),
  )
  expect([events, ...leftOut.values()]).toMatchObject([0, { count: 3 }])
})

it('[SEE-2] a request that is asked again after its answer is another question', () => {
  const asked = (text: string): Written => ({ type: 'consent.asked', callId: 'c', consent: { request: 'r', text } })
  const answered = (answer?: string): Written => ({
    type: 'consent.answered',
    callId: 'c',
    consent: { request: 'r', answer },
  })
  const run = runOf([asked('one'), asked('one'), answered('no'), asked('two'), answered()])
  expect(questionsOf(run.events).map((each) => [each.asked?.consent?.text, each.answered?.consent])).toEqual([
    ['one', { request: 'r', answer: 'no' }],
    ['two', { request: 'r' }],
  ])
})

it('[SEE-4] fields of another shape, and names of a prototype, change nothing', () => {
  const hostile = [
    { ...shown(1), type: 'constructor', outcome: '__proto__', skills: [{ name: 5 }, SAFE_EDIT], callId: 'toString' },
    { type: 'skills.shown', shown: { step: 'x', skills: 3 } },
    {
      type: 'tool.started',
      callId: '__proto__',
      tool: { a: 1 },
      outcome: 'hasOwnProperty',
      refusedBy: [],
      window: 'x',
    },
    { type: 'skill.denied', skill: { name: 'constructor' }, callId: 'c', outcome: 'refused', code: 'toString' },
  ] as unknown as readonly Written[]
  const run = runOf(hostile)
  expect(rowsOf(run).every(({ lead, text }) => typeof lead === 'string' && typeof text === 'string')).toBe(true)
  expect(run.calls.map(({ status }) => status)).toEqual(['running', 'running', 'refused'])
  expect(skillsOf(run).map(({ name, fate }) => [name, fate])).toContainEqual(['constructor', 'activation-failed'])
})

it('[SEE-2] puts a fork below the run that made it, and tells two logs with one session apart', () => {
  const log = read(logOf(SAMPLE))
  log.addText('other.jsonl', logOf(SAMPLE), true)
  expect(overviewOf(log).runs.map(({ id, depth, title }) => [id, depth, title])).toEqual([
    ['task-7f3a', 0, 'audit'],
    ['task-7f3a/call_8', 1, 'call_8'],
    ['task-7f3a~2', 0, 'other'],
    ['task-7f3a/call_8~2', 1, 'call_8'],
  ])
  expect(callDetail(log.runs.get('task-7f3a~2')!, 7)?.fork).toBe('task-7f3a/call_8~2')
})

it('[SEE-2] says of each call what became of it', () => {
  const run = sample()
  expect(run.calls.map(({ id, status, step }) => [id, status, run.steps[step]?.number])).toEqual([
    ['call_1', 'ran', 1],
    ['call_2', 'ran', 2],
    ['call_3', 'refused', 2],
    ['call_4', 'failed', 2],
    ['call_5', 'refused', 2],
    ['call_6', 'ran', 2],
    ['call_7', 'ran', 3],
    ['call_8', 'ran', 3],
  ])
  expect(overviewOf(read(logOf(SAMPLE))).runs[0]).toMatchObject({ ran: 5, refused: 2, failed: 1, asked: 2, steps: 3 })
})

it('[SEE-2] a call shows the rule that refused it, its question and its answer', () => {
  const run = sample()
  expect(callDetail(run, 2)).toMatchObject({
    refusal: { refusedBy: { by: 'allowed-tools', skill: 'safe-edit' }, code: 'TOOL_NOT_ALLOWED' },
    active: [SAFE_EDIT],
    input: { command: 'git push' },
  })
  expect(callDetail(run, 4)?.questions).toMatchObject([
    { asked: { consent: { text: 'Activate commit-message?' } }, answered: { consent: { answer: 'no', by: 'person' } } },
  ])
})

it('[SEE-2] a call that waits for a person is the same call when it runs in another process', () => {
  const started = { callId: 'c', tool: 'Write', outcome: 'started' }
  const run = runOf([
    shown(1),
    { type: 'tool.started', ...started },
    { type: 'tool.finished', ...started, outcome: 'suspended' },
    shown(2),
    { type: 'tool.started', ...started },
    { type: 'tool.finished', ...started, outcome: 'succeeded' },
    shown(3),
    { type: 'tool.started', ...started },
  ])
  expect(run.calls.map(({ status, events }) => [status, events.length])).toEqual([
    ['ran', 4],
    ['running', 1],
  ])
})

it('[SEE-2] a no is the end of a call and of an activation, also if the framework writes nothing else', () => {
  const run = runOf(
    SAMPLE.filter(({ type }) => type !== 'skill.denied').map((event) =>
      event.type === 'consent.asked' && event.callId === 'call_5'
        ? { ...event, skill: { name: 'commit-message', layer: 'project', source: 'skills' } }
        : event,
    ) as readonly Written[],
  )
  expect(run.calls[4]?.status).toBe('refused')
  expect(rowsOf(run).find(({ kind, item }) => kind === 'call' && item === 4)).toMatchObject({
    lead: 'Activate',
    end: 'CONSENT_DENIED',
  })
  expect(skillsOf(run)[0]).toMatchObject({ name: 'commit-message', fate: 'refused-by-consent', sentence: 'not now' })
})

it('[SEE-2] the timeline says what appeared and disappeared, and by which skill', () => {
  const rows = rowsOf(sample()).filter(({ kind }) => kind === 'change')
  expect(rows.map(({ step, lead, text }) => [step + 1, lead, text])).toEqual([
    [2, 'Now offered', 'read_skill_resource'],
    [2, 'Listed otherwise', 'safe-edit: shortened → whole'],
    [2, 'Prompt changed', ''],
    [3, 'Withheld', 'runCommand by safe-edit: no rule allows it'],
    [3, 'No longer offered', 'read_skill_resource'],
    [3, 'Left out (not-matched)', expect.stringMatching(/^release-notes: It does not fit the task, /)],
    [3, 'Listed otherwise', 'safe-edit: whole → shortened'],
    [3, 'Prompt changed', ''],
  ])
})

it('[SEE-2] the prompt of a step shows its difference to the step before', () => {
  expect(stepDetail(sample(), 1)?.prompt).toEqual([
    { change: 'same', text: 'You are a coder.' },
    { change: 'removed', text: 'Skills: safe-edit' },
    { change: 'added', text: 'Skills: safe-edit (active)' },
  ])
})

it('[SEE-2] says why each skill was not used, since when, and what to do', () => {
  const stories = skillsOf(sample())
  expect(stories.map(({ name, fate, since }) => [name, fate, since])).toEqual([
    ['commit-message', 'refused-by-consent', 2],
    ['payroll', 'refused', 1],
    ['old-notes', 'broken', 1],
    ['pdf', 'shadowed', 1],
    ['deploy', 'hidden', 1],
    ['translate', 'cut', 1],
    ['release-notes', 'not-matched', 3],
    ['safe-edit', 'no-longer-active', 2],
    ['glossary', 'never-chosen', 1],
    ['review', 'used', 3],
  ])
  const withoutAdvice = stories.filter(({ sentence, remedy }) => remedy === undefined && !/\. [A-Z]/.test(sentence))
  expect(withoutAdvice.map(({ name }) => name)).toEqual(['review'])
})

it('[SEE-2] says of a listed skill that nobody activated that it was never chosen', () => {
  expect(skillsOf(runOf([shown(1)])).map(({ name, fate }) => [name, fate])).toEqual([
    ['release-notes', 'never-chosen'],
    ['safe-edit', 'never-chosen'],
  ])
})

it('[SEE-2] a skill that was active when the run began was used', () => {
  const stories = skillsOf(runOf([{ ...shown(1), skills: [SAFE_EDIT] }]))
  const story = stories.find(({ name }) => name === 'safe-edit')
  expect(story).toMatchObject({ fate: 'used', since: 1 })
  expect(story?.sentence).toContain('It was active when step 1 began')
})

it('[SEE-2] a skill that the window removed is no longer active', () => {
  const run = runOf([
    shown(1),
    { type: 'skill.activated', skill: SAFE_EDIT, callId: 'c' },
    { type: 'skill.deactivated', skill: SAFE_EDIT, endedBy: 'window' },
  ])
  expect(skillsOf(run).find(({ name }) => name === 'safe-edit')).toMatchObject({ fate: 'no-longer-active' })
  expect(windowOf(run).events).toMatchObject([{ lead: 'Deactivated', text: 'safe-edit · by window' }])
})

it('[SEE-2] what happens before the first model call belongs to the first step', () => {
  const run = runOf([
    { type: 'skill.activated', skill: SAFE_EDIT, callId: 'invocation' },
    { ...shown(1), skills: [SAFE_EDIT] },
    { type: 'tool.started', callId: 'c', tool: 'Read', outcome: 'started' },
  ])
  expect(run.steps.map(({ number, calls }) => [number, calls.length])).toEqual([[1, 2]])
  expect(run.calls.map(({ step }) => step)).toEqual([0, 0])
  expect(skillsOf(run).find(({ name }) => name === 'safe-edit')?.sentence).toContain('was activated in step 1')
})

it('[SEE-2] claims no change of what a shortened list lacks', () => {
  const before = shown(1, { tools: ['Read', 'Write'] }).shown!
  const now = shown(2, { tools: ['Read'], skills: [], more: { tools: 1, skills: 2 } }).shown!
  expect(changesOf(before, now)).toMatchObject({ toolsRemoved: [], skillsRemoved: [] })
  expect(changesOf(now, before)).toMatchObject({ toolsAdded: [], skillsAdded: [] })
  expect(changesOf(before, { ...now, more: {} })).toMatchObject({ toolsRemoved: [{ tool: 'Write' }] })
})

it('[SEE-4, ABUSE-135] reads a torn line of any length in one go', () => {
  const { leftOut } = read(`${'{"version":1,"type":"'.repeat(100_000)}\n`)
  expect([...leftOut.values()]).toMatchObject([{ count: 1 }])
})

it('[SEE-2] the window shows tokens by part, and what a summary covers', () => {
  const view = windowOf(sample())
  expect(view).toMatchObject({ steps: [1, 2, 3], size: 8_000, input: [1_400, 2_800, 3_100] })
  expect(view.parts.bodies).toEqual([0, 640, 0])
  expect(view.events).toMatchObject([
    { step: 1, number: 2, lead: 'Older messages summarised', end: '7,400 → 3,100 tokens · 12 messages' },
  ])
})

it('[SEE-3] finds the rows that hold every word, in anything that the log says of them', () => {
  const run = sample()
  const found = (query: string) => rowsOf(run, search(run, query)).map(({ kind, item }) => `${kind} ${item}`)
  expect(found('git PUSH')).toEqual(['call 2'])
  expect(found('activate not now')).toEqual(['call 4'])
  expect(found('nothing like this')).toEqual([])
  // A skill that is never listed has no row but the step that leaves it out; new lines of a prompt are found too.
  const steps = (query: string) => rowsOf(run, search(run, query)).map(({ kind, step }) => `${kind} of ${step + 1}`)
  expect(steps('payroll')).toEqual(['step of 1'])
  expect(steps('safe-edit (active)')).toEqual(['step of 2'])
})

it('[SEE-3] judges the log again: as recorded, advised, under a policy, and without a skill', async () => {
  const run = sample()
  const verdicts = async (changes: Partial<typeof NO_CHANGES>) =>
    Object.fromEntries(
      (await whatIf(run, { ...NO_CHANGES, ...changes })).calls.map(({ call, verdict }) => [
        run.calls[call]!.id,
        verdict,
      ]),
    )
  expect(await verdicts({})).toEqual({ call_2: 'allowed', call_3: 'refused', call_4: 'allowed', call_7: 'allowed' })
  expect(await verdicts({ mode: 'advisory' })).toMatchObject({ call_3: 'against the rules' })
  expect(await verdicts({ without: ['safe-edit'] })).toMatchObject({ call_3: 'allowed' })
  expect(await verdicts({ deny: ['Read'], ask: ['Write'] })).toMatchObject({ call_2: 'refused', call_7: 'asked' })
  const { problem } = await whatIf(run, { ...NO_CHANGES, deny: ['Bash(git'] })
  expect(problem).toContain('"Bash(git"')
})

it('[SEE-3] a call without a recorded input, or with a masked one, is not judged', async () => {
  const started = { type: 'tool.started', tool: 'Bash', outcome: 'started' }
  const run = runOf([
    shown(1),
    { ...started, callId: 'a' },
    { ...started, callId: 'b', input: { command: 'curl -u [redacted]' } },
    { ...started, callId: 'c', input: { command: 'git log' } },
    { ...started, callId: 'd', input: { args: ['a', '… 8 more'] } },
  ])
  const { calls } = await whatIf(run, NO_CHANGES)
  expect(calls.map(({ verdict, reason }) => [verdict, reason])).toEqual([
    ['unjudged', 'The log does not hold its input.'],
    ['unjudged', 'Its input was cut or masked when it was recorded.'],
    ['allowed', ''],
    ['unjudged', 'Its input was cut or masked when it was recorded.'],
  ])
})

it('[SEE-3] a call that was asked about is not changed by a policy that asks about it', async () => {
  const run = runOf([
    shown(1),
    { type: 'consent.asked', callId: 'a', tool: 'Write', consent: { request: 'r', about: 'call', digest: 'd' } },
    { type: 'tool.started', callId: 'a', tool: 'Write', outcome: 'started', input: { file_path: 'a' } },
    { type: 'tool.started', callId: 'b', tool: 'Write', outcome: 'started', input: { file_path: 'b' } },
  ])
  const { calls } = await whatIf(run, { ...NO_CHANGES, ask: ['Write'] })
  expect(calls.map(({ verdict, changed }) => [verdict, changed])).toEqual([
    ['asked', false],
    ['asked', true],
  ])
})

it('[SEE-3] a call whose arguments the host has mapped itself is not judged', async () => {
  const mapped = { type: 'tool.started', tool: 'shell', standsFor: 'Bash', outcome: 'started' }
  const run = runOf([
    shown(1),
    { ...mapped, callId: 'a', input: { line: 'rm -rf /' } },
    { ...mapped, callId: 'b', input: { command: 'git log' } },
  ])
  const { calls } = await whatIf(run, { ...NO_CHANGES, deny: ['Bash(rm:*)'] })
  expect(calls.map(({ verdict, reason }) => [verdict, reason])).toEqual([
    ['unjudged', 'The host renames its arguments by a `toolMap`, which a log does not hold.'],
    ['allowed', ''],
  ])
})
