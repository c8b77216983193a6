import { type ConsentHandler, memorySource } from '@repertoire/core'
import { expect, test } from 'vitest'
import { type ChatBody, loopDriver, startLoop } from './loop-driver.ts'
import { brokenLoop, checkOf, resultOf } from './one-check.ts'
import { skipTime } from './skip-time.ts'
import type { Bench, Trial, TrialOptions } from '../src/check.ts'
import type { AdapterDriver, Conversation, TaskSetup, Turn } from '../src/driver.ts'

const json = { variants: [{ name: 'json' }] } as const
const look = { calls: [{ tool: 'Bash', input: { command: 'git status' } }] }

/** Runs a check that passes if `run` resolves, and gives its reason where it fails. */
async function reasonOf(run: (bench: Bench) => Promise<void>, driver: AdapterDriver = loopDriver(json)) {
  return (await resultOf(driver, checkOf(run))).reason
}

/** Opens one trial, and gives what the adapter was set up with. */
async function setupOf(options: Partial<TrialOptions>): Promise<TaskSetup> {
  let seen: TaskSetup | undefined
  const driver = loopDriver({
    ...json,
    start: async (task) => {
      seen = task
      return startLoop(task)
    },
  })
  const reason = await reasonOf(async (bench) => void (await bench.open({ script: [], ...options })), driver)
  expect(reason).toBeUndefined()
  return seen!
}

test('[CONF-1] shows a check what the model was sent and which tools ran', async () => {
  let trial: Trial | undefined
  const reason = await reasonOf(async (bench) => {
    trial = await bench.open({ script: [look, { text: 'All clean.' }], instructions: 'Be brief.' })
    expect(await trial.send('Look.')).toEqual({ status: 'done', text: 'All clean.' })
  })
  expect(reason).toBeUndefined()
  expect(trial?.runs).toEqual([{ tool: 'Bash', input: { command: 'git status' }, callId: 'call_1_1' }])
  expect(trial?.resultOf('call_1_1')).toBe('ran: git status')
  expect(trial?.requests.map(({ system }) => system)).toEqual(['Be brief.', 'Be brief.'])
  expect(trial?.requests[0]?.tools.map(({ name }) => name)).toEqual(['Bash', 'Read', 'Write', 'WebFetch'])
})

test('[CONF-1] gives an adapter tools that answer in a fixed way, and refuse what they were not given', async () => {
  const { tools } = await setupOf({})
  const answer = (name: string, input: unknown) =>
    tools.find((tool) => tool.name === name)!.execute(input, { callId: 'c' })
  expect(answer('Bash', { command: 'ls' })).toBe('ran: ls')
  expect(answer('Read', { file_path: 'a.md' })).toBe('content of a.md')
  expect(answer('Write', { file_path: 'a.md', content: 'four' })).toBe('wrote 4 characters to a.md')
  expect(answer('WebFetch', { url: 'https://example.org' })).toBe('fetched https://example.org')
  for (const input of [undefined, null, {}, { command: 7 }, 'ls']) {
    expect(() => answer('Bash', input)).toThrow('Bash needs "command" as a string')
  }
})

test("[CONF-1] records runs of a check's own tools, with the input as it was before the tool changed it", async () => {
  const own = {
    name: 'Own',
    description: '',
    inputSchema: { type: 'object' },
    execute: (input: unknown) => {
      ;(input as { n: number }).n = 2
      return 'done'
    },
  }
  const before = { ...own }
  let trial: Trial | undefined
  await reasonOf(async (bench) => {
    trial = await bench.open({ script: [{ calls: [{ tool: 'Own', input: { n: 1 } }] }, { text: '' }], tools: [own] })
    await trial.send('Go.')
  })
  expect(trial?.runs).toEqual([{ tool: 'Own', input: { n: 1 }, callId: 'call_1_1' }])
  expect(own).toEqual(before)
})

test('[CONF-1] opens skills, session and consent as the check says', async () => {
  const skill = { 'SKILL.md': '---\nname: pdf\ndescription: Reads PDFs.\n---\nBody.' }
  const sources = [memorySource({ layer: 'project', skills: { pdf: skill } })]
  const task = await setupOf({
    sources,
    session: { agent: 'coder' },
    maxSteps: 3,
    repertoire: { listing: { style: 'tool' } },
  })
  expect(task.repertoire.catalog.has('pdf')).toBe(true)
  expect(task.session).toMatchObject({ agent: 'coder' })
  expect(task.maxSteps).toBe(3)
  expect(await (task.session.consent as ConsentHandler)({} as never, {} as never)).toBe(true)
  expect((await setupOf({})).repertoire.catalog.has('pdf')).toBe(false)
  expect('consent' in (await setupOf({ consent: 'suspend' })).session).toBe(false)
  const consent = () => false
  expect((await setupOf({ consent })).session.consent).toBe(consent)
})

test('[CONF-1] fails a check whose model was asked beyond its script, even if the adapter hides the error', async () => {
  const driver = loopDriver({
    ...json,
    start: brokenLoop((conversation) => ({
      send: (text) => conversation.send(text).catch((): Turn => ({ status: 'done', text: '' })),
    })),
  })
  const reason = await reasonOf(async (bench) => {
    const trial = await bench.open({ script: [look] })
    await trial.send('Look.')
  }, driver)
  expect(reason).toBe(
    'in json: trial 1: Request 2 goes beyond the script, which has 1 step. ' +
      'It ended with a message of the role tool: "ran: git status".',
  )
})

test('[CONF-1] fails a check for a malformed request that the adapter gets over', async () => {
  const driver = loopDriver({
    ...json,
    start: async (task) => {
      await fetch(`${task.endpoint.baseURL}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${task.endpoint.apiKey}` },
        body: JSON.stringify({ model: 'm', messages: [{ role: 'tool', tool_call_id: 'x', content: '' }] }),
      })
      return startLoop(task)
    },
  })
  const reason = await reasonOf(async (bench) => void (await bench.open({ script: [] })), driver)
  expect(reason).toMatch(/^in json: trial 1: A request is malformed for native tool calls: messages\[0\] is a result/)
})

test('[CONF-1] says what the endpoint noted beside what the adapter threw, but not twice', async () => {
  const reason = await reasonOf(async (bench) => {
    const trial = await bench.open({ script: [] })
    await trial.send('Hello.')
  })
  expect(reason?.match(/goes beyond the script/g)).toHaveLength(1)
})

test.each<[string, Turn, string]>([
  ['nothing', undefined as unknown as Turn, 'saw undefined'],
  ['another status', { status: 'fine' } as unknown as Turn, 'saw {"status":"fine"}'],
  ['no text', { status: 'done' } as unknown as Turn, 'saw {"status":"done"}'],
])('[CONF-2] fails a driver that answers with %s', async (_, turn, message) => {
  const driver = loopDriver({ ...json, start: brokenLoop(() => ({ send: async () => turn })) })
  const reason = await reasonOf(async (bench) => {
    const trial = await bench.open({ script: [] })
    await trial.send('Hello.')
  }, driver)
  expect(reason).toContain('expected send("Hello.") to return { status: \'done\', text } or')
  expect(reason).toContain(message)
})

test('[CONF-1] says which results of calls there were where the one asked for is missing, or comes twice', async () => {
  const missing = await reasonOf(async (bench) => {
    const trial = await bench.open({ script: [look, { text: 'Done.' }] })
    await trial.send('Look.')
    trial.resultOf('call_9_9')
  })
  expect(missing).toContain('expected a request that contains the result of call_9_9, saw ["call_1_1"]')
  // The loop gives the second call an id of its own, and this one the model's.
  const unchanged: AdapterDriver['start'] = async (task) =>
    startLoop(
      task,
      (body) => JSON.parse(JSON.stringify(body).replaceAll(/call_[0-9a-f]{8}-[0-9a-f-]+/g, 'same')) as ChatBody,
    )
  const twice = await reasonOf(
    async (bench) => {
      const script = [look, look, { text: 'Done.' }].map((step) =>
        'calls' in step ? { calls: step.calls.map((call) => ({ ...call, id: 'same' })) } : step,
      )
      const trial = await bench.open({ script })
      await trial.send('Look twice.')
      trial.resultOf('same')
    },
    loopDriver({ start: unchanged }),
  )
  expect(twice).toContain('expected one result of same in request 3')
})

test('[CONF-1] counts call ids on where a trial goes on from what another saved', async () => {
  const reason = await reasonOf(async (bench) => {
    const first = await bench.open({ script: [look, { text: 'Saved.' }] })
    await first.send('Look.')
    const saved: unknown = JSON.parse(JSON.stringify(await first.save()))
    const second = await bench.open({ script: [look, { text: 'Again.' }], saved })
    await second.send('Once more.')
    expect(second.runs.map(({ callId }) => callId)).toEqual(['call_3_1'])
    expect(second.resultOf('call_3_1')).toBe('ran: git status')
    expect(second.resultOf('call_1_1')).toBe('ran: git status')
  })
  expect(reason).toBeUndefined()
})

test('[CONF-1] hands on what was saved as JSON, and fails what JSON cannot represent', async () => {
  const date = new Date(0)
  const saving = (value: unknown) => loopDriver({ ...json, start: brokenLoop(() => ({ save: async () => value })) })
  const save = async (bench: Bench) => (await bench.open({ script: [] })).save()
  let saved: unknown
  await reasonOf(async (bench) => void (saved = await save(bench)), saving({ date }))
  expect(saved).toEqual({ date: date.toJSON() })
  expect(await reasonOf(async (bench) => void (await save(bench)), saving(undefined))).toContain(
    'save to return a JSON value',
  )
  expect(await reasonOf(async (bench) => void (await save(bench)), saving(1n))).toContain('BigInt')
})

test('[CONF-1] ends every trial once, whether the check passed or failed or ended it itself', async () => {
  let ends = 0
  const driver = loopDriver({
    ...json,
    start: brokenLoop((conversation) => ({
      end: () => {
        ends += 1
        return conversation.end()
      },
    })),
  })
  await reasonOf(async (bench) => {
    await bench.open({ script: [] })
    await (await bench.open({ script: [] })).end()
    throw new Error('No.')
  }, driver)
  expect(ends).toBe(2)
})

test('[CONF-1] fails a check whose trial cannot be ended, and still ends the others', async () => {
  const ended: number[] = []
  let count = 0
  const driver = loopDriver({
    ...json,
    start: async (task) => {
      const number = ++count
      const end = async () => {
        ended.push(number)
        if (number === 1) throw new Error('It will not die.')
      }
      return { ...startLoop(task), end } satisfies Conversation
    },
  })
  const open = async (bench: Bench) => {
    await bench.open({ script: [] })
    await bench.open({ script: [] })
  }
  expect(await reasonOf(open, driver)).toBe('in json: The end of trial 1 failed: It will not die.')
  expect(ended).toEqual([1, 2])
})

test('[CONF-1] fails a check whose trial does not come to its end', async () => {
  const reached = Promise.withResolvers<void>()
  const end = () => {
    reached.resolve()
    return new Promise<void>(() => {})
  }
  const driver = loopDriver({ ...json, start: brokenLoop(() => ({ end })) })
  const check = checkOf(async (bench) => void (await bench.open({ script: [] })))
  const { reason } = await skipTime(reached.promise, () => resultOf(driver, check))
  expect(reason).toBe('in json: Still going on when the check was over: end of trial 1.')
})

test('[CONF-1] fails a check whose adapter cannot be started', async () => {
  const driver = loopDriver({
    ...json,
    start: () => {
      throw new RangeError('No such model.', { cause: new Error('Nothing installed.') })
    },
  })
  const reason = await reasonOf(async (bench) => void (await bench.open({ script: [] })), driver)
  expect(reason).toBe('in json: RangeError: No such model. (Nothing installed.)')
})

test('[CONF-1] ends an adapter that is started only after the check is over, and lets nothing go on', async () => {
  const starting = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const driver = loopDriver({
    ...json,
    start: async (task) => {
      reached.resolve()
      await starting.promise
      return { ...startLoop(task), end: async () => ended.resolve() }
    },
  })
  let opening: Promise<Trial> | undefined
  let kept: Bench | undefined
  const check = checkOf(async (bench) => {
    kept = bench
    opening = bench.open({ script: [] })
    opening.catch(() => {})
    throw new Error('Too early.')
  })
  const { reason } = await skipTime(reached.promise, () => resultOf(driver, check))
  expect(reason).toBe('in json: Too early.\nStill going on when the check was over: start of trial 1.')
  starting.resolve()
  await ended.promise
  await expect(opening).rejects.toThrow('The check is over')
  await expect(kept!.open({ script: [] })).rejects.toThrow('The check is over')
})

test('[CONF-1] stops a check that goes on after its deadline', async () => {
  const late = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  let trial: Trial | undefined
  const check = checkOf(async (bench) => {
    trial = await bench.open({ script: [{ text: 'Hello.' }] })
    opened.resolve()
    await late.promise
  })
  await skipTime(opened.promise, () => resultOf(loopDriver(json), check))
  await expect(trial!.send('Still there?')).rejects.toThrow('The check is over')
  late.resolve()
})

test('[CONF-1] harms no one with a send that a check did not wait for', async () => {
  const driver = loopDriver({
    ...json,
    start: brokenLoop(() => ({ send: () => Promise.reject(new Error('Alone.')) })),
  })
  const reason = await reasonOf(async (bench) => {
    const trial = await bench.open({ script: [] })
    void trial.send('Hello.')
  }, driver)
  expect(reason).toBeUndefined()
  const awaited = await reasonOf(async (bench) => {
    const trial = await bench.open({ script: [] })
    await trial.send('Hello.')
  }, driver)
  expect(awaited).toContain('Alone.')
})

test("[CONF-1] passes a check's own signal on, and none to an adapter that cannot be aborted", async () => {
  const seen: (AbortSignal | undefined)[] = []
  const start = brokenLoop((conversation) => ({
    send: (text, options) => {
      seen.push(options?.signal)
      return conversation.send(text)
    },
  }))
  const abort = new AbortController()
  const check = checkOf(async (bench) => {
    const trial = await bench.open({ script: [{ text: '1' }, { text: '2' }] })
    await trial.send('One.', { signal: abort.signal })
    await trial.send('Two.')
  })
  const capabilities = { ...loopDriver().capabilities, abort: { absent: 'no signal' } }
  await resultOf(loopDriver({ ...json, start, capabilities }), check)
  expect(seen).toEqual([abort.signal, undefined])
  seen.length = 0
  await resultOf(loopDriver({ ...json, start }), check)
  abort.abort(new Error('Enough.'))
  expect(seen.map((signal) => signal?.aborted)).toEqual([true, false])
  expect(seen[0]?.reason).toEqual(new Error('Enough.'))
})

test.each([
  [{ instuctions: 'Be brief.' }, 'A trial has an unknown field "instuctions". Did you mean "instructions"?'],
  [{ polcy: {} }, 'A trial has an unknown field "polcy".'],
])('[CFG-1] refuses a trial with %o', async (wrong, message) => {
  expect(await reasonOf(async (bench) => void (await bench.open({ script: [], ...wrong })))).toContain(message)
})
