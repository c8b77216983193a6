import type { ConsentRequest } from '@repertoire/core'
import { adapterSession } from '@repertoire/core/adapter'
import { jsonSchema, tool } from 'ai'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  activate,
  call,
  CAREFUL,
  notingTools,
  offered,
  openTask,
  refusalOf,
  resultOf,
  SKILL_TOOLS,
  useEndpoint,
  WAYS,
} from './task.ts'
import { isRefusedCallError, withSkills } from '../src/index.ts'

const endpoint = useEndpoint()

describe.each(WAYS)('%s', (_, run) => {
  test("[ADPT-1] carries a task out with skills beside the host's own instructions and tools", async () => {
    const { play, model, session } = await openTask(endpoint(), [
      activate('careful'),
      call('Bash', { command: 'git log' }),
      { text: 'Done.' },
    ])
    const { runs, tools } = notingTools()
    const { text } = await run(model, withSkills(session, { instructions: 'Be brief.', tools }), 'Hello')
    expect(text).toBe('Done.')
    expect(runs).toEqual(['Bash {"command":"git log"}'])
    expect(play.requests.map(({ system }) => system.startsWith('Be brief.\n\nWhen a task fits a skill,'))).toEqual([
      true,
      true,
      true,
    ])
    expect(offered(play.requests[0])).toEqual(['Bash', 'Read', 'Write', 'activate_skill'])
    expect(resultOf(play, 'call_1_1')).toContain('LOOK FIRST.')
    expect(resultOf(play, 'call_2_1')).toBe('Bash ran')
    expect(session.activeSkills).toEqual(['careful'])
    expect(play.failures).toEqual([])
  })

  test('[SHOW-1] shows nothing at all where no skill is visible, and refuses what a rogue model calls', async () => {
    const { play, model, session } = await openTask(endpoint(), [activate('careful'), { text: 'Done.' }], {
      skills: [],
    })
    await run(model, withSkills(session), 'Hello')
    expect(play.requests[0]).toMatchObject({ system: '', tools: [] })
    expect(refusalOf(play, 'call_1_1').code).toBe('TOOL_UNKNOWN')
  })

  test('[GATE-1, GATE-7] hides a tool that is not allowed, refuses it if it is called after all, and runs nothing', async () => {
    const { play, model, session } = await openTask(endpoint(), [
      activate('careful'),
      call('Write', { path: 'a' }),
      call('Bash', { command: 'rm -rf .' }),
      { text: 'Done.' },
    ])
    const { runs, tools } = notingTools()
    const { content } = await run(model, withSkills(session, { tools }), 'Hello')
    expect(runs).toEqual([])
    expect(offered(play.requests[1])).toEqual(['Bash', 'Read', ...SKILL_TOOLS])
    expect(refusalOf(play, 'call_2_1')).toMatchObject({
      code: 'TOOL_NOT_ALLOWED',
      allowedTools: ['Read', 'Bash(git:*)'],
    })
    expect(refusalOf(play, 'call_3_1').code).toBe('TOOL_NOT_ALLOWED')
    // The application meets a refusal as an error of the tool, with what core said.
    const errors = content.filter((part) => part.type === 'tool-error').map(({ error }) => error)
    expect(errors.map((error) => isRefusedCallError(error) && error.refusal.code)).toEqual([
      'TOOL_NOT_ALLOWED',
      'TOOL_NOT_ALLOWED',
    ])
  })

  test('[GATE-1] runs and refuses a tool that is called in another case, and answers an unknown one in the words of core', async () => {
    const script = [
      activate('careful'),
      call('READ', { file_path: 'a' }),
      call('WRITE', {}),
      call('Deactivate_Skill', {}),
      call('rm_rf', { a: 1 }),
      { text: 'Done.' },
    ]
    const { play, model, session } = await openTask(endpoint(), script)
    const { runs, tools } = notingTools()
    const { text } = await run(model, withSkills(session, { tools }), 'Hello')
    expect(text).toBe('Done.')
    expect(runs).toEqual(['Read {"file_path":"a"}'])
    expect(refusalOf(play, 'call_3_1').code).toBe('TOOL_NOT_ALLOWED')
    expect(resultOf(play, 'call_4_1')).toContain('no longer active')
    const expected = await session.call({ id: '', tool: 'rm_rf', input: { a: 1 } }, () => undefined)
    expect(resultOf(play, 'call_5_1')).toBe(expected.text)
    // The conversation keeps the calls as the model wrote them, but for the case.
    const calls = play.requests.at(-1)!.messages.flatMap((message) => message.calls ?? [])
    expect(calls.map((each) => each.tool)).toEqual(['activate_skill', 'Read', 'Write', 'deactivate_skill', 'rm_rf'])
    expect(play.failures).toEqual([])
  })

  test('[GATE-7] refuses arguments that are not a JSON object in the words of core, for skill tools and for the host’s', async () => {
    const broken = { raw: '{"name": "careful"' }
    const script = [
      call('activate_skill', broken),
      call('Bash', broken),
      call('BASH', broken),
      call('Bash', { raw: '[1]' }),
      call('Bash', { raw: 'null' }),
      call('activate_skill', { raw: '{"name":"careful","__proto__":{}}' }),
      { text: 'Done.' },
    ]
    const { play, model, session } = await openTask(endpoint(), script)
    const { runs, tools } = notingTools()
    const loose = {
      ...tools,
      Bash: tool({
        description: 'Takes anything.',
        inputSchema: jsonSchema({ type: 'object' }),
        execute: () => runs.push('Bash'),
      }),
    }
    await run(model, withSkills(session, { tools: loose }), 'Hello')
    expect(runs).toEqual([])
    for (const id of ['call_1_1', 'call_2_1', 'call_3_1', 'call_4_1', 'call_5_1', 'call_6_1'])
      expect(refusalOf(play, id).code).toBe('INPUT_INVALID')
    // Servers parse what they are sent back, and take nothing but an object.
    const sentBack = play.requests.at(-1)!.messages.flatMap(({ calls = [] }) => calls)
    expect(sentBack.slice(0, 5).map((sent) => sent.arguments)).toEqual(['{}', '{}', '{}', '{}', '{}'])
    expect(adapterSession(session).state.active).toEqual([])
  })

  test('[GATE-1] refuses a tool that is not allowed before AI SDK speaks of its schema, and leaves the schema of an allowed one to AI SDK', async () => {
    const { play, model, session } = await openTask(endpoint(), [
      activate('careful'),
      call('Strict', { n: 'x' }),
      call('Read', { n: 'x' }),
      { text: 'Done.' },
    ])
    const strict = tool({
      description: 'Takes a number.',
      inputSchema: z.object({ n: z.number() }),
      execute: () => 'ran',
    })
    await run(model, withSkills(session, { tools: { Strict: strict, Read: strict } }), 'Hello')
    expect(refusalOf(play, 'call_2_1').code).toBe('TOOL_NOT_ALLOWED')
    expect(resultOf(play, 'call_3_1')).toContain('Invalid input for tool Read')
  })

  test('[GATE-5] shows the message of a tool that throws, whatever it throws, and goes on', async () => {
    class Burning extends RangeError {}
    const thrown = [
      new Burning('On fire: $& <x>'),
      'a string',
      { toString: () => 'an object' },
      new DOMException('Too late.', 'TimeoutError'),
      undefined,
    ]
    const { play, model, session } = await openTask(endpoint(), [
      ...thrown.map((each, n) => call('Fail', { n })),
      { text: 'Went on.' },
    ])
    const fail = tool({
      description: 'Fails.',
      inputSchema: z.object({ n: z.number() }),
      execute: ({ n }): string => {
        throw thrown[n]
      },
    })
    const { text, content } = await run(model, withSkills(session, { tools: { Fail: fail } }), 'Hello')
    expect(text).toBe('Went on.')
    const shown = thrown.map((each, n) => resultOf(play, `call_${n + 1}_1`))
    expect(shown).toEqual(['On fire: $& <x>', 'a string', 'an object', 'Too late.', 'undefined'])
    const errors = content.filter((part) => part.type === 'tool-error').map(({ error }) => error)
    expect(errors[0]).toBeInstanceOf(Burning)
    expect(errors[0]).toMatchObject({ name: 'RangeError', message: 'On fire: $& <x>' })
    expect(String(thrown[0])).toBe('RangeError: On fire: $& <x>')
  })

  test('[GATE-5, ACT-7] keeps a restriction over an aborted run, and ends with the task', async () => {
    const abort = new AbortController()
    const { play, model, session } = await openTask(endpoint(), [
      activate('careful'),
      call('Read', {}),
      call('Write', {}),
      call('Write', {}),
      { text: 'Done.' },
    ])
    const { runs, tools } = notingTools()
    const read = tool({
      description: 'Stops the run.',
      inputSchema: z.object({}),
      execute: () => {
        abort.abort(new Error('Stop.'))
        return 'read'
      },
    })
    const stopping = { ...tools, Read: read }
    const skills = withSkills(session, { tools: stopping })
    await expect(run(model, skills, 'Hello', { abortSignal: abort.signal })).rejects.toThrow('Stop.')
    expect(session.activeSkills).toEqual(['careful'])
    const asked = play.requests.length
    await run(model, skills, 'Go on')
    expect(play.requests.length).toBeGreaterThan(asked)
    expect(runs).toEqual([])
    await session.end()
    expect(adapterSession(session).state).toMatchObject({ active: [], granted: [], open: [], ended: true })
  })

  test('[ASK-3, ACT-7] gives a consent request up when the run is aborted, and activates nothing', async () => {
    const abort = new AbortController()
    const { model, session } = await openTask(endpoint(), [activate('careful'), { text: 'Done.' }], {
      consent: () => {
        abort.abort(new Error('Stop.'))
        return new Promise(() => {})
      },
    })
    await expect(run(model, withSkills(session), 'Hello', { abortSignal: abort.signal })).rejects.toThrow('Stop.')
    expect(adapterSession(session).state).toMatchObject({ active: [], granted: [] })
    await session.end()
    expect(adapterSession(session).state).toMatchObject({ active: [], granted: [], ended: true })
  })

  test('[ACT-7] shows nothing of skills once the session has ended, and refuses every call', async () => {
    const { runs, tools } = notingTools()
    const { play, model, session } = await openTask(endpoint(), [
      activate('careful'),
      () => {
        void session.end()
        return call('Read', {})
      },
      activate('careful'),
      { text: 'Done.' },
    ])
    await run(model, withSkills(session, { instructions: 'Be brief.', tools }), 'Hello')
    expect(play.requests.map(({ system }) => system.length > 'Be brief.'.length)).toEqual([true, true, false, false])
    expect(offered(play.requests[2])).toEqual(['Bash', 'Read', 'Write'])
    expect(refusalOf(play, 'call_2_1').code).toBe('SESSION_ENDED')
    expect(refusalOf(play, 'call_3_1').code).toBe('SESSION_ENDED')
    expect(runs).toEqual([])
  })

  test('[ACT-8] keeps two sessions at once apart', async () => {
    const first = await openTask(endpoint(), [activate('careful'), call('Write', {}), { text: 'Done.' }])
    const second = await openTask(endpoint(), [activate('free'), call('Write', {}), { text: 'Done.' }])
    const [a, b] = [notingTools(), notingTools()]
    await Promise.all([
      run(first.model, withSkills(first.session, { tools: a.tools }), 'Hello'),
      run(second.model, withSkills(second.session, { tools: b.tools }), 'Hello'),
    ])
    expect([a.runs, b.runs]).toEqual([[], ['Write {}']])
  })

  test('[GATE-5] judges all calls of one message by the skills that were active when it was written', async () => {
    const both = {
      calls: [
        { tool: 'deactivate_skill', input: {} },
        { tool: 'Write', input: { n: 1 } },
      ],
    }
    const { play, model, session } = await openTask(endpoint(), [
      activate('careful'),
      both,
      call('Write', { n: 2 }),
      { text: 'Done.' },
    ])
    const { runs, tools } = notingTools()
    await run(model, withSkills(session, { tools }), 'Hello')
    expect(refusalOf(play, 'call_2_2').code).toBe('TOOL_NOT_ALLOWED')
    expect(runs).toEqual(['Write {"n":2}'])
  })

  test('[ASK-1] asks the handler of a session that has one, once, and not through AI SDK', async () => {
    const asked: ConsentRequest[] = []
    const consent = (request: ConsentRequest) => asked.push(request) > 1
    const { play, model, session } = await openTask(
      endpoint(),
      [activate('careful'), activate('careful'), { text: 'Done.' }],
      { consent },
    )
    const { text } = await run(model, withSkills(session), 'Hello')
    expect(text).toBe('Done.')
    expect(asked.map(({ callId, skill }) => [callId, skill])).toEqual([
      ['call_1_1', 'careful'],
      ['call_2_1', 'careful'],
    ])
    expect(refusalOf(play, 'call_1_1').code).toBe('CONSENT_DENIED')
    expect(resultOf(play, 'call_2_1')).toContain('LOOK FIRST.')
  })
})

test("[GATE-1] throws where a host's tool has the name of a skill tool", async () => {
  const { session } = await openTask(endpoint(), [])
  const clash = tool({ description: 'Clashes.', inputSchema: z.object({}), execute: () => 'ran' })
  expect(() => withSkills(session, { tools: { Activate_skill: clash } })).toThrow(
    'The host has a tool named "Activate_skill"',
  )
})

test('[SHOW-3] describes the skill tools anew at every model call', async () => {
  const { play, model, session } = await openTask(
    endpoint(),
    [call('Bash', {}), { text: 'Done.' }],
    {},
    { listing: { style: 'tool' } },
  )
  const { tools } = notingTools()
  await WAYS[0]![1](model, withSkills(session, { tools }), 'Hello')
  const view = adapterSession(session).view({ tools: ['Bash', 'Read', 'Write'] })
  for (const request of play.requests) {
    expect(request.tools.filter(({ name }) => SKILL_TOOLS.includes(name))).toEqual(
      view.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    )
    expect(request.system).toBe(view.instructions)
  }
  expect(view.tools[0]!.description).toContain(Object.keys(CAREFUL)[0])
})
