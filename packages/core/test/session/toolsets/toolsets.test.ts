import { describe, expect, it } from 'vitest'
import { openAdapterSession } from '../../../src/adapter.ts'
import { keeping } from '../../audit/world.ts'
import { code } from '../outcome.ts'
import { activate, bringing, call, HOST, openBringing, shown, tool } from './toolset-world.ts'
import { hooksBy } from '../hook-runner.ts'

describe('the toolsets of a skill', () => {
  it('[RUN-10] bring their tools while the skill is active, and no longer', async () => {
    const { session } = await openBringing({ exported: [tool('measure'), tool('weigh')] })
    expect(await shown(session)).toEqual([])
    expect(code(await call(session, 'measure'))).toBe('TOOL_UNKNOWN')
    expect(code(await activate(session, 'kit'))).toBe('ok')
    expect(await shown(session)).toEqual(['measure', 'weigh'])
    expect(await call(session, 'measure')).toEqual({ ok: true, value: 'measure ran', text: 'measure ran' })
    expect(code(await call(session, 'deactivate_skill'))).toBe('ok')
    expect(await shown(session)).toEqual([])
    expect(code(await call(session, 'measure'))).toBe('TOOL_UNKNOWN')
  })

  it('[RUN-10] may be a function of a context, called once for a content of the skill', async () => {
    const contexts: unknown[] = []
    const exported = async (context: unknown) => {
      contexts.push(context)
      return [tool('measure')]
    }
    const { session, repertoire, options } = await openBringing({ exported })
    await activate(session, 'kit')
    const other = openAdapterSession(repertoire, options)
    await activate(other, 'kit')
    expect(await shown(other)).toEqual(['measure'])
    const digest = session.state.active[0]?.digest
    expect(contexts).toEqual([{ skill: 'kit', location: 'memory:memory/kit', digest }])
  })

  it('[RUN-10] are given the call id and the signal, and the input that was judged', async () => {
    const given: unknown[] = []
    const measure = tool('measure', (...all) => given.push(all))
    const { session } = await openBringing({ exported: [measure] })
    await activate(session, 'kit')
    const outcome = await session.call({ id: 'x', tool: 'MEASURE', input: { a: 1 } }, () => 'no')
    expect(outcome).toMatchObject({ ok: true, text: '1' })
    expect(given).toEqual([[{ a: 1 }, { callId: 'x', signal: expect.any(AbortSignal) }]])
  })

  it('[RUN-10, ABUSE-121] are not waited for where they never end: an abort and the end of the task come through', async () => {
    const signals: (AbortSignal | undefined)[] = []
    let begun = Promise.withResolvers<void>()
    const never = tool('never', (_, { signal }) => {
      signals.push(signal)
      begun.resolve()
      return new Promise(() => {})
    })
    const { session } = await openBringing({ exported: [never] })
    await activate(session, 'kit')
    const controller = new AbortController()
    const aborted = call(session, 'never', {}, controller.signal)
    await begun.promise
    controller.abort(new Error('enough'))
    await expect(aborted).rejects.toThrow('enough')
    begun = Promise.withResolvers()
    const ended = call(session, 'never')
    await begun.promise
    await session.end()
    expect(await ended).toMatchObject({ ok: false })
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true])
  })

  it('[RUN-10] are loaded from the agreed files, by a path inside the folder without an ending', async () => {
    const { session, requests } = await openBringing({ exported: [] })
    await activate(session, 'kit')
    const [request] = requests
    expect(request).toMatchObject({ skill: 'kit', module: 'toolsets/index', export: 'tools' })
    expect(request?.files.map(({ path }) => path)).toEqual(['SKILL.md', 'toolsets/index.mjs'])
    const bytes = await request?.files[1]?.read()
    expect(new TextDecoder().decode(bytes)).toBe('export const tools = []\n')
  })

  it.each(['../evil:tools', '/etc/evil:tools', 'a/../../evil:tools', 'https://x.example/y:tools', 'a%2e%2e/x:tools'])(
    '[RUN-10, RES-3] are not loaded from elsewhere: %s',
    async (reference) => {
      const skills = { kit: bringing('kit', '', reference) }
      const { session, requests } = await openBringing({ exported: [tool('measure')], skills })
      expect(code(await activate(session, 'kit'))).toBe('TOOLSET_FAILED')
      expect(requests).toEqual([])
      expect(session.state.active).toEqual([])
    },
  )

  it.each([undefined, 'personal', 'plugin'] as const)(
    '[RUN-10] are not loaded for a layer that the host does not trust: %s',
    async (trusted) => {
      const layers = trusted === undefined ? [] : [trusted]
      const { session, requests, problems } = await openBringing({
        exported: [tool('measure')],
        layer: 'project',
        layers,
      })
      expect(code(await activate(session, 'kit'))).toBe('ok')
      expect(await shown(session)).toEqual([])
      expect(requests).toEqual([])
      expect(problems).toMatchObject([{ code: 'TOOLSETS_NOT_LOADED', skill: 'kit' }])
      expect(problems[0]?.message).toContain('layers: ["project"]')
    },
  )

  it('[RUN-10] are loaded behind consent, which names them', async () => {
    const asked: (readonly string[])[] = []
    const consent = ({ toolsets }: { toolsets?: readonly string[] | undefined }) => {
      asked.push(toolsets ?? [])
      return false
    }
    const { session, requests } = await openBringing({ exported: [tool('measure')], session: { consent } })
    expect(code(await activate(session, 'kit'))).toBe('CONSENT_DENIED')
    expect(asked).toEqual([['toolsets/index:tools']])
    expect(requests).toEqual([])
  })

  it.each([
    ['a tool of the host, in any case', [tool('BASH')]],
    ['a skill tool', [tool('activate_skill')]],
    ["a skill's own tool", [tool('skill_kit')]],
    ['another of the same toolset', [tool('measure'), tool('Measure')]],
  ])('[RUN-10] are refused with their skill where a name is that of %s', async (_what, exported) => {
    const { session } = await openBringing({ exported })
    expect(code(await activate(session, 'kit'))).toBe('TOOLSET_FAILED')
    expect(session.state.active).toEqual([])
    expect(await shown(session)).toEqual([])
  })

  it('[RUN-10] are refused where a tool of another active skill has the name', async () => {
    const skills = { kit: bringing('kit'), box: bringing('box') }
    const { session } = await openBringing({ exported: [tool('measure')], skills })
    await activate(session, 'kit')
    const outcome = await activate(session, 'box')
    expect(code(outcome)).toBe('TOOLSET_FAILED')
    expect(outcome.ok ? '' : outcome.refusal.detail).toContain('"measure"')
    expect(await shown(session)).toEqual(['measure'])
  })

  it.each([
    ['that throws', new Error('No such module.')],
    [
      'that is a function that throws',
      () => {
        throw new Error('Broken.')
      },
    ],
    ['that never settles', () => new Promise(() => {})],
    ['that is not a list', { name: 'measure' }],
    ['that is nothing', undefined],
    ['of something else than tools', ['measure']],
    ['of a tool without a name', [{ ...tool('x'), name: '' }]],
    ['of a tool that no provider takes', [{ ...tool('x'), name: 'a b' }]],
    ['of a tool without a schema', [{ ...tool('x'), inputSchema: { type: 'string' } }]],
    ['of a tool that cannot be called', [{ ...tool('x'), execute: 'measure' }]],
    ['of too many tools', Array.from({ length: 65 }, (_, index) => tool(`t${index}`))],
    [
      'with a getter that throws',
      [
        {
          ...tool('x'),
          get description(): string {
            throw new Error('Broken.')
          },
        },
      ],
    ],
  ])('[RUN-10] stop the activation with an export %s, and nothing is half done', async (_what, exported) => {
    const ran: string[] = []
    const skills = { kit: { ...bringing('kit', 'hooks: { pre: [before.sh] }\n'), 'before.sh': '' } }
    const scripts = hooksBy(({ script }) => ({ ok: ran.push(script) > 0 }))
    const { session } = await openBringing({ exported, skills, repertoire: { scripts } })
    expect(code(await activate(session, 'kit'))).toBe('TOOLSET_FAILED')
    expect(session.state.active).toEqual([])
    expect(await shown(session)).toEqual([])
    expect(ran).toEqual(['before.sh'])
  })

  it('[RUN-10] may be used by a skill that allows only some tools, and not by one that does not allow them', async () => {
    const skills = {
      kit: bringing('kit', 'allowed-tools: Read\n'),
      strict: { 'SKILL.md': '---\nname: strict\ndescription: d\nallowed-tools: Read\n---\nBody.\n' },
    }
    const { session } = await openBringing({ exported: [tool('measure')], skills })
    await activate(session, 'kit')
    expect(await shown(session)).toEqual(['measure'])
    expect(code(await call(session, 'measure'))).toBe('ok')
    expect(code(await call(session, 'Bash', { command: 'ls' }))).toBe('TOOL_NOT_ALLOWED')
    await activate(session, 'strict')
    expect(await shown(session)).toEqual([])
    expect(code(await call(session, 'measure'))).toBe('TOOL_NOT_ALLOWED')
  })

  it('[RUN-10, GATE-1] widen nothing by their names: no tool of the host is permitted because of one', async () => {
    const skills = { kit: bringing('kit', 'allowed-tools: Read\n') }
    const session = { hostTools: ['runCommand', 'Read'], toolMap: { runCommand: 'Bash' } }
    const opened = await openBringing({ exported: [tool('Bash')], skills, session })
    await opened.session.step({ tools: session.hostTools })
    await activate(opened.session, 'kit')
    expect(code(await call(opened.session, 'runCommand', { command: 'ls' }))).toBe('TOOL_NOT_ALLOWED')
  })

  it('[RUN-10] pass the policy of the host', async () => {
    const { session } = await openBringing({ exported: [tool('measure')], session: { policy: { deny: ['measure'] } } })
    await activate(session, 'kit')
    expect(await shown(session)).toEqual([])
    expect(code(await call(session, 'measure'))).toBe('TOOL_NOT_ALLOWED')
  })

  it('[RUN-10, OBS-1] are recorded like tools of the host; what throws is a result that failed', async () => {
    const sink = keeping()
    const exported = [tool('measure'), tool('break', () => Promise.reject(new Error('It\u200B broke.')))]
    const { session } = await openBringing({ exported, repertoire: { audit: { sink } } })
    await activate(session, 'kit')
    await call(session, 'measure')
    const outcome = await call(session, 'break')
    expect(outcome).toMatchObject({
      ok: true,
      value: { isError: true },
      text: expect.stringContaining('It\\\\u{200B} broke.') as string,
    })
    await session.end()
    const events = sink.events.filter(({ type }) => type.startsWith('tool.'))
    expect(events.map(({ type, tool: name, outcome: end }) => [type, name, end])).toEqual([
      ['tool.started', 'measure', 'started'],
      ['tool.finished', 'measure', 'succeeded'],
      ['tool.started', 'break', 'started'],
      ['tool.finished', 'break', 'failed'],
    ])
  })

  it('[RUN-10] give way to a tool of the host that has come to have the name', async () => {
    const { session } = await openBringing({ exported: [tool('measure')] })
    await activate(session, 'kit')
    expect(await shown(session, [...HOST, 'measure'])).toEqual([])
    expect(await call(session, 'measure')).toMatchObject({ ok: true, value: 'the host ran it' })
  })

  it('[RUN-10] are loaded again where the session goes on in another process, if the skill has not changed', async () => {
    const first = await openBringing({ exported: [tool('measure')] })
    await activate(first.session, 'kit')
    const saved = first.session.save()
    const second = await openBringing({ exported: [tool('measure')] })
    const session = openAdapterSession(second.repertoire, { ...second.options, saved })
    expect(await shown(session)).toEqual(['measure'])
    expect(code(await call(session, 'measure'))).toBe('ok')

    const skills = { kit: { ...bringing('kit'), 'toolsets/index.mjs': 'export const tools = [changed]\n' } }
    const third = await openBringing({ exported: [tool('measure')], skills })
    const changed = openAdapterSession(third.repertoire, { ...third.options, saved })
    expect(third.requests).toEqual([])
    expect(await shown(changed)).toEqual([])
    expect(third.problems).toMatchObject([{ code: 'TOOLSETS_NOT_LOADED' }])
  })

  it('[RUN-10] can be used by the steps of their skill’s plan', async () => {
    const text =
      '---\nname: kit\ndescription: d\ntype: composite\ntoolsets: ["toolsets/index:tools"]\n---\n```yaml\nsteps:\n  - tool: measure\n```\n'
    const skills = { kit: { 'SKILL.md': text, 'toolsets/index.mjs': '' } }
    const { session } = await openBringing({ exported: [tool('measure')], skills, session: { runStep: () => 'host' } })
    expect(await activate(session, 'kit')).toMatchObject({ value: { run: { results: [{ value: 'measure ran' }] } } })
    expect(await shown(session)).toEqual([])
  })

  it('[RUN-10] are refused with invalid options', async () => {
    for (const toolsets of [
      {},
      { layers: ['personal'] },
      { loader: { load: () => 1 }, layers: ['all'] },
      { loader: { load: () => 1 } },
    ]) {
      await expect(openBringing({ exported: [], repertoire: { toolsets: toolsets as never } })).rejects.toThrow(
        TypeError,
      )
    }
  })
})
