import { describe, expect, it } from 'vitest'
import { type AdapterSessionOptions, openAdapterSession, type AdapterSession } from '../../../src/adapter.ts'
import { keeping } from '../../audit/world.ts'
import { type ConsentRequest, openRepertoire } from '../../../src/index.ts'
import { code } from '../outcome.ts'
import { call as execute, openExecution, typed } from '../execution/execution-world.ts'
import { openScripts, run, scriptFiles, use } from '../scripts/script-world.ts'
import { skillText } from '../session-world.ts'

const HOST = ['Bash', 'Read', 'Write']
const ASK = { ask: ['Bash(git push:*)', 'Write(docs/**)'] }

/** Opens a session whose policy asks; `requests` is what somebody was asked. */
async function open(
  answer: (request: ConsentRequest) => boolean,
  options: AdapterSessionOptions = {},
  repertoire = {},
) {
  const requests: ConsentRequest[] = []
  const consent = (request: ConsentRequest): boolean => {
    requests.push(request)
    return answer(request)
  }
  const opened = await openRepertoire({ sources: [], policy: ASK, ...repertoire })
  const session = openAdapterSession(opened, { consent, ...options })
  await session.step({ tools: HOST })
  return { session, requests, opened }
}

let counter = 0
const ran: unknown[] = []
const make = (session: AdapterSession, tool: string, input: object, id = `a${counter++}`) =>
  session.call({ id, tool, input }, ({ input: judged }) => ran.push(judged) && 'ran')
const bash = (session: AdapterSession, command: string, id?: string) => make(session, 'Bash', { command }, id)

describe('a call that the policy asks about', () => {
  it('[ASK-6] needs consent each time, with the call and the rule, and others need none', async () => {
    const { session, requests } = await open(() => true)
    expect(code(await bash(session, 'git push origin', 'one'))).toBe('ok')
    expect(code(await bash(session, 'git push origin'))).toBe('ok')
    expect(code(await bash(session, 'git log'))).toBe('ok')
    expect(code(await make(session, 'write', { file_path: 'docs/a.md' }))).toBe('ok')
    expect(code(await make(session, 'Write', { file_path: 'src/a.md' }))).toBe('ok')
    expect(requests.map(({ tool, rule }) => [tool, rule])).toEqual([
      ['Bash', 'Bash(git push:*)'],
      ['Bash', 'Bash(git push:*)'],
      ['Write', 'Write(docs/**)'],
    ])
    expect(requests[0]).toMatchObject({ callId: 'one', session: session.id, input: { command: 'git push origin' } })
    expect(requests[0]?.text).toContain('Let the agent call "Bash"?')
    expect(requests[0]?.text).toContain('{"command":"git push origin"}')
    expect(session.state.granted).toEqual([])
  })

  it.each(['echo a; git push', 'git -C x push', 'eval "$X"', 'sh -c "git push"'])(
    '[ASK-6, ABUSE-20] is also one that may be meant: %s',
    async (command) => {
      const { session, requests } = await open(() => false)
      expect(code(await bash(session, command))).toBe('CALL_DENIED')
      expect(requests).toHaveLength(1)
    },
  )

  it('[ASK-6] is refused unasked where the policy denies it, and asked about where it allows it', async () => {
    const policy = { allow: ['Bash(git:*)'], deny: ['Bash(git push --force:*)'], ask: ['Bash(git push:*)'] }
    const { session, requests } = await open(() => true, { policy })
    expect(code(await bash(session, 'git push --force'))).toBe('TOOL_NOT_ALLOWED')
    expect(code(await bash(session, 'ls'))).toBe('TOOL_NOT_ALLOWED')
    expect(requests).toEqual([])
    expect(code(await bash(session, 'git push'))).toBe('ok')
    expect(requests).toHaveLength(1)
  })

  it('[ASK-3, ASK-6] does not run without a clear yes, and the model is told why', async () => {
    const answers = [false, { approved: true }, { approved: false, reason: 'not on a Friday' }, 'yes'] as const
    for (const answer of answers) {
      const { session } = await open(() => answer as boolean)
      const before = ran.length
      const outcome = await bash(session, 'git push')
      expect(code(outcome)).toBe('CALL_DENIED')
      expect(ran).toHaveLength(before)
      if (typeof answer === 'object' && 'reason' in answer) expect(outcome.text).toContain('not on a Friday')
    }
    const { session } = await open(() => true, { consent: undefined })
    expect((await bash(session, 'git push')).text).toContain('nobody could be asked')
  })

  it('[ASK-5, ASK-6] is answered in two phases, in whatever process, for this very call and once', async () => {
    const { session, opened } = await open(() => true, { consent: undefined })
    const push = { id: 'one', tool: 'bash', input: { command: 'git push' } }
    expect((await session.preview({ ...push, input: { command: 'ls' } }, { asks: true })).waits).toBeUndefined()
    const request = (await session.preview(push, { asks: true })).waits
    expect((await session.preview(push, { asks: true })).waits).toEqual(request)
    session.answer({ requestId: request!.id, approved: true })
    const saved = session.save()
    const other = openAdapterSession(opened, { saved })
    await other.step({ tools: HOST })
    expect(code(await bash(other, 'git push --all', 'one'))).toBe('CALL_DENIED')
    expect(code(await bash(other, 'git push', 'two'))).toBe('CALL_DENIED')
    expect(code(await bash(other, 'git push', 'one'))).toBe('ok')
    expect(code(await bash(other, 'git push', 'one'))).toBe('CALL_DENIED')
  })

  it('[ASK-5] has the text of its denial for frameworks that write it themselves', async () => {
    const { session } = await open(() => true, { consent: undefined })
    const push = { id: 'one', tool: 'Bash', input: { command: 'git push' } }
    expect(session.deniedText(push, 'no')).toBeUndefined()
    const request = (await session.preview(push, { asks: true })).waits
    session.answer({ requestId: request!.id, approved: false })
    expect(session.deniedText({ ...push, input: {} }, 'no')).toBeUndefined()
    expect(session.deniedText(push, 'no')).toBe(
      (await session.call(push, () => 1)).text?.replace('consent was not given', 'no'),
    )
    const again = { ...push, id: 'two', tool: 'bash' }
    session.answer({ requestId: (await session.preview(again, { asks: true })).waits!.id, approved: false })
    expect(session.deniedText(again, 'no')).toContain('was not carried out: no')
    expect((await session.preview({ ...push, input: { command: 'ls' } }, { asks: true })).waits).toBeUndefined()
    expect((await session.preview(push)).refusal).toBeUndefined()
  })

  it('[ASK-6, GATE-8] is asked about in every mode, and a session adds to what its repertoire asks about', async () => {
    for (const mode of ['restrict', 'preapprove', 'advisory'] as const) {
      const { session, requests } = await open(() => false, { enforcement: mode, policy: { ask: ['Read'] } })
      expect(code(await bash(session, 'git push'))).toBe('CALL_DENIED')
      expect(code(await make(session, 'Read', { file_path: 'a' }))).toBe('CALL_DENIED')
      expect(requests).toHaveLength(2)
    }
  })

  it('[ASK-6, RUN-2] is asked about as a step of a plan, and the plan stops at a no', async () => {
    const skills = {
      plan: typed(
        'plan',
        'composite',
        'steps:\n  - tool: Read\n  - tool: Bash\n    parameters: { command: git push }',
        '',
        'yaml',
      ),
    }
    const asked: unknown[] = []
    const consent = ({ tool }: ConsentRequest) => (tool === undefined ? true : asked.push(tool) < 0)
    const { session } = await openExecution(skills, { consent, runStep: () => 'ran', policy: ASK })
    expect(await execute(session, 'plan')).toMatchObject({
      value: { run: { ok: false, results: [{ ok: true }, { error: { code: 'CALL_DENIED' } }] } },
    })
    expect(asked).toEqual(['Bash'])
  })

  it('[ASK-6, RUN-12] may be the run of a script', async () => {
    const asked: ConsentRequest[] = []
    const consent = (request: ConsentRequest) => request.tool === undefined || asked.push(request) === 1
    const policy = { ask: ['run_skill_script(scripts/args.sh)'] }
    const { session, runner } = await openScripts({ policy }, { consent })
    await use(session, 'tool')
    expect(code(await run(session, 'scripts/args.sh'))).toBe('ok')
    expect(code(await run(session, 'scripts/args.sh'))).toBe('CALL_DENIED')
    expect(runner.jobs).toHaveLength(1)
    expect(asked[0]).toMatchObject({ tool: 'run_skill_script', input: { path: 'scripts/args.sh' } })
    const later = await openScripts({ policy }, { consent: undefined })
    const activation = { id: 'a', tool: 'activate_skill', input: { name: 'tool' } }
    const request = (await later.session.preview(activation, { asks: true })).waits
    later.session.answer({ requestId: request!.id, approved: true })
    await later.session.call(activation, () => undefined)
    await later.session.step({ tools: ['Read'] })
    const script = { id: 'b', tool: 'run_skill_script', input: { path: 'scripts/args.sh' } }
    const second = (await later.session.preview(script, { asks: true })).waits
    expect(second).toMatchObject({ tool: 'run_skill_script' })
    later.session.answer({ requestId: second!.id, approved: true })
    expect(code(await later.session.call(script, () => undefined))).toBe('ok')
  })

  it('[ASK-4, ASK-6, RUN-12] says whose script would run, and a yes to one is not a yes to that of another skill', async () => {
    const policy = { ask: ['run_skill_script'] }
    const skills = {
      ...scriptFiles(),
      other: { 'SKILL.md': skillText('other'), 'scripts/args.sh': 'echo another' },
    }
    const { session } = await openScripts({ policy }, { consent: undefined }, skills)
    const activated = async (name: string): Promise<void> => {
      const activation = { id: name, tool: 'activate_skill', input: { name } }
      const request = (await session.preview(activation, { asks: true })).waits
      session.answer({ requestId: request!.id, approved: true })
      expect(code(await session.call(activation, () => undefined))).toBe('ok')
      await session.step({ tools: ['Read'] })
    }
    await activated('tool')
    const script = { id: 'b', tool: 'run_skill_script', input: { path: 'scripts/args.sh' } }
    const first = (await session.preview(script, { asks: true })).waits
    expect(first?.text).toContain('which runs:    "scripts/args.sh" of the skill "tool"')
    session.answer({ requestId: first!.id, approved: true })
    await activated('other')
    expect(code(await session.call(script, () => undefined))).toBe('CALL_DENIED')
    const second = (await session.preview(script, { asks: true })).waits
    expect(second?.text).toContain('of the skill "other"')
    expect(second!.id).not.toBe(first?.id)
    session.answer({ requestId: second!.id, approved: false })
    expect(session.deniedText(script, 'no')).toContain('was not carried out: no')
  })

  it('[ASK-6, ABUSE-94] runs as it was shown, whatever is done to the request', async () => {
    const { session } = await open((request) => {
      const input = request.input as { command: string }
      input.command = 'git push --force'
      return true
    })
    expect(code(await bash(session, 'git push'))).toBe('ok')
    expect(ran.at(-1)).toEqual({ command: 'git push' })
  })

  it('[ASK-6, OBS-1] is in the audit as refused where it is denied, and has not started', async () => {
    const sink = keeping()
    const { session } = await open(() => false, {}, { audit: { sink } })
    await bash(session, 'git push')
    await session.end()
    expect(sink.events).toMatchObject([{ type: 'tool.refused', code: 'CALL_DENIED', tool: 'Bash', outcome: 'refused' }])
  })

  it('[ASK-4, ABUSE-93] shows what is invisible, and how much of a long input is not shown', async () => {
    const { session, requests } = await open(() => false)
    await bash(session, 'git push \u202Eorigin')
    await bash(session, `git push ${'x'.repeat(20_000)}`)
    expect(requests[0]?.text).toContain('\\u{202E}')
    expect(requests[1]?.text).toMatch(/… and \d+ more characters/)
  })

  it('[ASK-6, GATE-10] has rules that mean one of the tools, or a problem says so; and rules that can be read', async () => {
    const problems: string[] = []
    const { session } = await open(() => true, {
      policy: { ask: ['Fetch'] },
      onProblem: ({ code: problem, message }) => problems.push(`${problem} ${message}`),
    })
    await session.step({ tools: HOST })
    expect(problems).toEqual([expect.stringMatching(/^POLICY_UNMATCHED .*`policy\.ask` \(Fetch\)/)])
    await expect(openRepertoire({ sources: [], policy: { ask: ['Bash(git'] } })).rejects.toThrow(/policy\.ask/)
    await expect(openRepertoire({ sources: [], policy: { ask: 'Bash' as never } })).rejects.toThrow(
      '`policy.ask` is "Bash"',
    )
  })
})
