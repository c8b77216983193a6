import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type ModelEndpoint, openModelEndpoint, type Play, type ScriptStep } from '@repertoire/conformance'
import { bundled } from '@repertoire/test-servers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, openDatabase } from './postgres.ts'
import type { Job, Report } from './postgres-process.ts'
import { activate, call, refusalOf, resultOf, say } from './setup.ts'

/** A process that has nothing in common with the others but the database. */
interface Worker {
  work(job: Omit<Job, 'url'>): Promise<Report>
  /** Sends a job during which the process stops by itself, and kills it there. */
  workUntilKilled(job: Omit<Job, 'url'>): Promise<void>
}

// Every step is a process, which takes its time on a loaded machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const program = bundled(fileURLToPath(new URL('postgres-process.ts', import.meta.url)))
const children: ChildProcess[] = []
const bash = call('Bash', { command: 'ls' })
const yes = (report: Report) => answersTo(report, () => true)

let endpoint: ModelEndpoint
let database: Database
// The first two serve all scenes; those that need a process that never did anything else begin one.
let one: Worker
let two: Worker
/** Those that were begun for one scene, and may be killed in another. */
const done: Worker[] = []

beforeAll(async () => {
  ;[endpoint, database] = await Promise.all([openModelEndpoint(), openDatabase()])
  ;[one, two] = await Promise.all([start(), start()])
})
afterAll(async () => {
  await Promise.all(
    children.map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.disconnect()
      await exited
    }),
  )
  await endpoint.close()
  await database.close()
})

async function start(): Promise<Worker> {
  const child = fork(program, { execArgv: ['--conditions=@repertoire/source'] })
  children.push(child)
  // What it says goes through one channel, in order; one job at a time.
  const heard = async (): Promise<unknown> => {
    const left = new AbortController()
    const { signal } = left
    const exit = once(child, 'exit', { signal }).then(([code, killed]) => {
      throw new Error(`The process ended with ${code ?? killed}.`)
    })
    const [message] = await Promise.race([once(child, 'message', { signal }), exit]).finally(() => left.abort())
    return message
  }
  expect(await heard()).toBe('ready')
  return {
    async work(job) {
      child.send({ ...job, url: database.url } satisfies Job)
      const { report, failure } = (await heard()) as { report?: Report; failure?: string }
      if (report === undefined) throw new Error(failure)
      return report
    },
    async workUntilKilled(job) {
      child.send({ ...job, url: database.url } satisfies Job)
      expect(await heard()).toBe('stopped')
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      expect(await exited).toEqual([null, 'SIGKILL'])
    },
  }
}

/** What a job needs of a play; the rest of a play stays here. */
function modelAt({ baseURL, apiKey, model }: Play): Job['model'] {
  return { baseURL, apiKey, model }
}

function playOf(script: readonly ScriptStep[]) {
  const play = endpoint.play(script)
  return { play, model: modelAt(play) }
}

function answersTo({ questions }: Report, verdict: (skill: string) => boolean): Job['do'] {
  return {
    answer: Object.fromEntries(
      questions.map(({ id, request }) => [id, { requestId: request.id, approved: verdict(request.skill ?? '') }]),
    ),
  }
}

test('[ASK-5, ACT-15, GATE-5] a run that suspends in one process goes on in another, restricted, and so does the thread in the first', async () => {
  const { play, model } = playOf([activate('editing'), bash, say, call('Bash', { command: 'pwd' }), bash, say])
  const job = { thread: 'handed-on', model, sessionSecret: 'a key' }
  const asked = await one.work({ ...job, do: { say: 'Hello' } })
  expect(asked).toMatchObject({
    questions: [{ request: { skill: 'editing', callId: 'call_1_1' } }],
    active: [],
    runs: [],
  })
  const answered = await two.work({ ...job, do: yes(asked) })
  expect(answered).toEqual({ questions: [], active: ['editing'], text: 'Done.', runs: [], hooks: [] })
  expect(resultOf(play, 'call_1_1')).toContain('Edit with care.')
  expect(refusalOf(play, 'call_2_1').code).toBe('TOOL_NOT_ALLOWED')
  const later = await one.work({ ...job, do: { say: 'And now?' } })
  expect(later).toEqual({ questions: [], active: ['editing'], text: 'Done.', runs: [], hooks: [] })
  expect(refusalOf(play, 'call_4_1').code).toBe('TOOL_NOT_ALLOWED')
  expect(play.failures).toEqual([])
})

test('[ASK-5, ACT-12, ACT-15] what a person invokes is asked in one process and answered in another', async () => {
  const { play, model } = playOf([bash, say])
  const job = { thread: 'invoked', model }
  const asked = await one.work({ ...job, do: { say: '/editing the letter' } })
  expect(asked.questions).toMatchObject([{ request: { skill: 'editing', args: 'the letter' } }])
  expect(play.requests).toEqual([])
  const answered = await two.work({ ...job, do: yes(asked) })
  expect(answered).toMatchObject({ questions: [], active: ['editing'], text: 'Done.', runs: [] })
  expect(play.requests[0]?.messages[1]?.text).toContain('Edit with care.')
  expect(refusalOf(play, 'call_1_1').code).toBe('TOOL_NOT_ALLOWED')
})

test('[ASK-5, ACT-15, ABUSE-94] an answer serves the consent request of its own thread, while two processes work on two at once', async () => {
  const left = playOf([activate('editing'), bash, say])
  const right = playOf([activate('editing'), activate('history'), call('Bash', { command: 'git log' }), say])
  const jobs = [
    { thread: 'left', model: left.model },
    { thread: 'right', model: right.model },
  ] as const
  const asked = await Promise.all([
    one.work({ ...jobs[0], do: { say: 'Hello' } }),
    two.work({ ...jobs[1], do: { say: 'Hello' } }),
  ])
  // The same call, and the interrupt of one thread with the answer to the other's question.
  const [[mine], [other]] = asked.map(({ questions }) => questions) as [Report['questions'], Report['questions']]
  expect(other!.request).toEqual({ ...mine!.request, id: other!.request.id, session: other!.request.session })
  const misled = { answer: { [other!.id]: { requestId: mine!.request.id, approved: true } } }
  const [answered, refused] = await Promise.all([
    two.work({ ...jobs[0], do: yes(asked[0]) }),
    one.work({ ...jobs[1], do: misled }),
  ])
  expect(answered).toMatchObject({ active: ['editing'], text: 'Done.', runs: [] })
  expect(refusalOf(left.play, 'call_2_1').code).toBe('TOOL_NOT_ALLOWED')
  expect(refusalOf(right.play, 'call_1_1').code).toBe('CONSENT_DENIED')
  expect(refused).toMatchObject({ active: [], questions: [{ request: { skill: 'history' } }] })
  const ended = await two.work({ ...jobs[1], do: yes(refused) })
  expect(ended).toMatchObject({ active: ['history'], text: 'Done.', runs: [['Bash', { command: 'git log' }]] })
})

test('[ASK-5, ABUSE-94] consent requests that are open at once are answered one by one in different processes, and none twice', async () => {
  const names = ['editing', 'history', 'free']
  const { play, model } = playOf([{ calls: names.map((name) => ({ tool: 'activate_skill', input: { name } })) }, say])
  const job = { thread: 'several', model }
  const asked = await one.work({ ...job, do: { say: 'Hello' } })
  const open = new Map(asked.questions.map((question) => [question.request.skill, question]))
  const answer = (skill: string, approved: boolean): Job['do'] => {
    const { id, request } = open.get(skill)!
    return { answer: { [id]: { requestId: request.id, approved } } }
  }
  const first = await two.work({ ...job, do: answer('editing', true) })
  expect(first.questions.map(({ request }) => request.skill)).toEqual(['history', 'free'])
  expect(play.requests).toHaveLength(1)
  const second = await one.work({ ...job, do: answer('history', false) })
  expect(second.questions.map(({ request }) => request.skill)).toEqual(['free'])
  const third = await two.work({ ...job, do: answer('free', true) })
  expect(third).toMatchObject({ questions: [], active: ['editing', 'free'], text: 'Done.' })
  expect(refusalOf(play, 'call_1_2').code).toBe('CONSENT_DENIED')
  await one.work({ ...job, do: answer('history', true) })
  const { active } = await two.work({ ...job, do: { look: true } })
  expect(active).toEqual(['editing', 'free'])
  expect(play.requests).toHaveLength(2)
})

test('[ACT-13, ACT-15, ABUSE-94] a task is ended in another process, which runs the post hooks, and no late answer brings anything back', async () => {
  const { play, model } = playOf([activate('leaving'), bash, say, activate('editing'), bash, say])
  const job = { thread: 'ended', model }
  const begun = await two.work({ ...job, do: yes(await one.work({ ...job, do: { say: 'Hello' } })) })
  expect(begun).toMatchObject({ active: ['leaving'], runs: [], hooks: [] })
  expect(refusalOf(play, 'call_2_1').code).toBe('TOOL_NOT_ALLOWED')
  const late = await one.work({ ...job, do: { say: 'And edit.' } })
  expect(late.questions).toMatchObject([{ request: { skill: 'editing' } }])
  const ended = await two.work({ ...job, do: { end: true } })
  expect(ended).toMatchObject({ questions: [], active: [], hooks: ['goodbye.sh'] })
  expect(await one.work({ ...job, do: { end: true } })).toMatchObject({ active: [], hooks: [] })
  const answered = await one.work({ ...job, do: yes(late) })
  expect(answered).toMatchObject({ active: [], runs: [] })
  expect(play.requests).toHaveLength(4)
})

test('[ACT-15, ABUSE-96] a session that was edited in the database stops the run in every process', async () => {
  const { play, model } = playOf([activate('editing'), say, bash, say])
  const job = { thread: 'edited', model, sessionSecret: 'a key' }
  await two.work({ ...job, do: yes(await one.work({ ...job, do: { say: 'Hello' } })) })
  const edited = await database.query(
    `UPDATE checkpoint_blobs SET blob = convert_to(replace(convert_from(blob, 'UTF8'), 'docs/**', '**'), 'UTF8')
     WHERE thread_id = 'edited' AND channel = '_repertoire' AND convert_from(blob, 'UTF8') LIKE '%docs/**%'
     RETURNING version`,
  )
  expect(edited.length).toBeGreaterThan(0)
  for (const process of [one, two]) {
    expect(await process.work({ ...job, do: { say: 'Go on' } })).toMatchObject({ error: 'STATE_TAMPERED', runs: [] })
  }
  expect(play.requests).toHaveLength(2)
})

test('[ACT-15, ABUSE-96] what a call did, edited in the database while the run waits for another answer, stops the run', async () => {
  const calls = ['editing', 'history'].map((name) => ({ tool: 'activate_skill', input: { name } }))
  const { play, model } = playOf([{ calls }, bash, say])
  const job = { thread: 'edited-beside', model, sessionSecret: 'a key' }
  const asked = await one.work({ ...job, do: { say: 'Hello' } })
  const answer = (skill: string, approved: boolean): Job['do'] => {
    const { id, request } = asked.questions.find((question) => question.request.skill === skill)!
    return { answer: { [id]: { requestId: request.id, approved } } }
  }
  await one.work({ ...job, do: answer('editing', true) })
  const edited = await database.query(
    `UPDATE checkpoint_writes SET blob = convert_to(replace(convert_from(blob, 'UTF8'), '"Read"', '"Bash"'), 'UTF8')
     WHERE thread_id = 'edited-beside' AND channel = '_repertoire' AND convert_from(blob, 'UTF8') LIKE '%"Read"%'
     RETURNING idx`,
  )
  expect(edited.length).toBeGreaterThan(0)
  expect(await two.work({ ...job, do: answer('history', false) })).toMatchObject({ error: 'STATE_TAMPERED', runs: [] })
  expect(play.requests).toHaveLength(1)
})

test('[ACT-10, ASK-5] a sub-agent that was asked for in one process runs in another that has called no model yet', async () => {
  const { play, model } = playOf([activate('expert'), say])
  const reviewer = playOf([bash, call('Read', { file_path: 'a' }), { text: 'Reviewed.' }])
  const job = { thread: 'forked', model }
  const asked = await one.work({ ...job, do: { say: 'Hello' } })
  expect(asked.questions).toMatchObject([{ request: { skill: 'expert' } }])
  const fresh = await start()
  const answered = await fresh.work({ ...job, do: yes(asked), reviewer: reviewer.model })
  done.push(fresh)
  expect(answered).toEqual({
    questions: [],
    active: [],
    text: 'Done.',
    runs: [['Read', { file_path: 'a' }]],
    hooks: [],
  })
  expect(resultOf(play, 'call_1_1')).toBe('<skill_result name="expert">\nReviewed.\n</skill_result>')
  expect(refusalOf(reviewer.play, 'call_1_1').code).toBe('TOOL_NOT_ALLOWED')
})

test('[ACT-10] a sub-agent for which a fresh process has no tools is refused, and is not run without them', async () => {
  const { play, model } = playOf([activate('expert'), say])
  const reviewer = playOf([{ text: 'Reviewed without a look.' }])
  const job = { thread: 'forked-without-tools', model }
  const asked = await one.work({ ...job, do: { say: 'Hello' } })
  const fresh = await start()
  const answered = await fresh.work({ ...job, do: yes(asked), reviewer: { ...reviewer.model, withoutTools: true } })
  done.push(fresh)
  expect(answered).toMatchObject({ questions: [], active: [], text: 'Done.', runs: [] })
  expect(refusalOf(play, 'call_1_1')).toMatchObject({ code: 'FORK_FAILED' })
  expect(refusalOf(play, 'call_1_1').reason).toContain('There are no tools for the sub-agent')
  expect(reviewer.play.requests).toEqual([])
})

test.each(['sync', 'async'] as const)(
  '[GATE-5, ACT-15, ABUSE-96] a process that is killed between an activation and the next call of the model leaves a thread on which nothing runs by itself, and that goes on restricted (durability %s)',
  async (stopsBeforeModel) => {
    const { play, model } = playOf([activate('editing'), bash, say])
    const job = { thread: `killed-${stopsBeforeModel}`, model }
    const asked = await one.work({ ...job, do: { say: 'Hello' } })
    const killed = done.pop() ?? (await start())
    await killed.workUntilKilled({ ...job, do: yes(asked), stopsBeforeModel })
    expect(play.requests).toHaveLength(1)
    let report = await two.work({ ...job, do: { look: true } })
    expect(report.runs).toEqual([])
    report = await two.work({ ...job, do: { goOn: true } })
    // Where the answer was not written down before the end, it is asked for again.
    if (report.questions.length > 0) report = await two.work({ ...job, do: yes(report) })
    expect(report).toEqual({ questions: [], active: ['editing'], text: 'Done.', runs: [], hooks: [] })
    expect(resultOf(play, 'call_1_1')).toContain('Edit with care.')
    expect(refusalOf(play, 'call_2_1').code).toBe('TOOL_NOT_ALLOWED')
    expect(play.failures).toEqual([])
  },
)
