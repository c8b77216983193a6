import { describe, expect, it } from 'vitest'
import { foreign } from '@repertoire/test-servers/properties'
import { type AdapterSessionOptions, openAdapterSession, type AdapterSession } from '../../../src/adapter.ts'
import {
  type ConsentRequest,
  type Outcome,
  type RepertoireOptions,
  memorySource,
  openRepertoire,
} from '../../../src/index.ts'
import { activeNames } from '../outcome.ts'

const skill = (name: string, fields = ''): { 'SKILL.md': string } => ({
  'SKILL.md': `---\nname: ${name}\ndescription: d\n${fields}---\nBody of ${name}: $ARGUMENTS.\n`,
})

const files = {
  pdf: skill('pdf', 'triggers: [pdf]\n'),
  merge: skill('merge', 'triggers:\n  verbs: [merge]\n  keywords: [pdf]\n'),
  model: skill('model', 'user-invocable: false\n'),
  secret: skill('secret', 'disable-model-invocation: true\ntriggers: [pdf]\n'),
  forked: skill('forked', 'context: fork\ntriggers: [research]\n'),
}

async function open(
  options: AdapterSessionOptions = {},
  repertoire: Partial<RepertoireOptions> = {},
): Promise<AdapterSession> {
  const sources = [memorySource({ layer: 'project', skills: files })]
  return openAdapterSession(await openRepertoire({ sources, ...repertoire }), options)
}
const yes: AdapterSessionOptions = { consent: () => true }
const NOTHING = { activated: [], suggested: [] }
const refusal = (outcome: Outcome | undefined): string | undefined =>
  outcome?.ok === false ? outcome.refusal.code : undefined

describe("a person's message that names a skill", () => {
  it('[ACT-12] activates it, and its text is that of the activation', async () => {
    const session = await open(yes)
    const turn = await session.beginTurn('/pdf a.pdf\nand b.pdf')
    const other = await open(yes)
    const call = { id: 'c', tool: 'activate_skill', input: { name: 'pdf', args: 'a.pdf\nand b.pdf' } }
    const outcome = await other.call(call, () => '')
    expect(turn).toEqual({ invoked: { name: 'pdf', outcome }, activated: [], suggested: [], text: outcome.text })
    expect(activeNames(session)).toEqual(['pdf'])
  })

  it('[ACT-12] activates what no model may, and no triggers are looked for beside it', async () => {
    const session = await open({ ...yes, turns: { triggers: 'activate' } })
    const { suggested, activated } = await session.beginTurn('/secret merge the pdf')
    expect({ suggested, activated }).toEqual(NOTHING)
    expect(activeNames(session)).toEqual(['secret'])
  })

  it.each(['/nothing here', '/etc/passwd', 'use /model', '/', ''])('[ACT-12] %j is just text', async (message) => {
    expect(await (await open(yes)).beginTurn(message)).toEqual(NOTHING)
  })

  it('[ACT-12] is followed by the reason where the skill was not activated', async () => {
    const refusals: [AdapterSessionOptions, string, string][] = [
      [yes, '/model', 'SKILL_NOT_INVOCABLE'],
      [{ consent: () => false }, '/pdf', 'CONSENT_DENIED'],
      [{}, '/pdf', 'CONSENT_DENIED'],
      [yes, '/forked', 'FORK_UNAVAILABLE'],
    ]
    for (const [options, message, code] of refusals) {
      const session = await open(options)
      const { invoked, text } = await session.beginTurn(message)
      expect(refusal(invoked?.outcome)).toBe(code)
      expect(text).toBe(
        `The user asked for the skill "${message.slice(1)}", and it was not activated.\n${invoked?.outcome.text}`,
      )
      expect(activeNames(session)).toEqual([])
    }
  })

  it('[ACT-2, ACT-12] tells the model of no skill that it may not see where a reload has lost the one that is named', async () => {
    const entries: Record<string, { 'SKILL.md': string }> = {
      pdf: skill('pdf'),
      secret: skill('secret', 'disable-model-invocation: true\n'),
    }
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const source = memorySource({ layer: 'project', skills: entries })
    const lost = memorySource({ layer: 'project', skills: { secret: entries['secret']! } })
    let now = source
    const repertoire = await openRepertoire({ sources: [{ ...source, scan: () => now.scan() }] })
    const session = openAdapterSession(repertoire, { consent: () => promise })
    // The turn waits behind it.
    const first = session.activate('secret')
    const turn = session.beginTurn('/pdf')
    now = lost
    await repertoire.reload({ force: true })
    resolve(false)
    await first
    const { invoked, text } = await turn
    expect(refusal(invoked?.outcome)).toBe('SKILL_NOT_FOUND')
    expect(text).toBe('The user asked for the skill "pdf", and it was not activated.')
  })

  it('[ACT-12, ASK-5] the message’s id is that of the consent request that comes before it', async () => {
    const session = await open()
    const { waits, invoked } = await session.beginTurn('/pdf x', { id: 'message-1', canWait: true })
    expect([waits?.callId, invoked?.outcome.ok]).toEqual(['message-1', false])
    session.answer({ requestId: waits!.id, approved: true })
    const turn = await session.beginTurn('/pdf x', { id: 'message-1' })
    expect(turn.invoked?.outcome.ok).toBe(true)
  })

  it('[ACT-10, ACT-12] a fork’s text is its result', async () => {
    const session = await open(yes)
    const turn = await session.beginTurn('/forked it', { fork: ({ prompt }) => Promise.resolve(`did ${prompt}`) })
    expect(turn.text).toBe('<skill_result name="forked">\ndid it\n</skill_result>')
  })

  it('[ACT-6, ACT-12] an active skill is not activated a second time', async () => {
    const session = await open(yes)
    await session.beginTurn('/pdf')
    expect((await session.beginTurn('/pdf')).text).toContain('already active')
    expect(activeNames(session)).toEqual(['pdf'])
  })
})

describe('a message that matches triggers', () => {
  it('[ACT-11] suggests the skills in one line, that most triggers speak for first', async () => {
    expect(await (await open()).beginTurn('merging a pdf')).toEqual({
      activated: [],
      suggested: ['merge', 'pdf'],
      text: 'Skills that may fit this message: "merge", "pdf". If one does, call `activate_skill` with its name before anything else.',
    })
  })

  it('[ACT-11] names the tools that the model has', async () => {
    const named = await open({}, { skillToolNames: { activate: 'use_skill' } })
    expect((await named.beginTurn('the pdf')).text).toContain('`use_skill`')
    const own = await open({}, { listing: { style: 'tools' } })
    expect((await own.beginTurn('the pdf')).text).toContain('call `skill_merge` or `skill_pdf` before')
  })

  it('[ACT-11, ASK-1] activates them where the host says so, each through consent', async () => {
    const asked: ConsentRequest[] = []
    const session = await open({
      turns: { triggers: 'activate' },
      consent: (request) => asked.push(request) > 0 && request.skill !== 'merge',
    })
    const turn = await session.beginTurn('the pdf')
    expect(asked.map((request) => request.skill)).toEqual(['merge', 'pdf'])
    expect(turn.activated.map(({ name, outcome }) => [name, refusal(outcome)])).toEqual([
      ['merge', 'CONSENT_DENIED'],
      ['pdf', undefined],
    ])
    const [merge, pdf] = turn.activated
    expect(turn.text).toBe(
      `The skill "merge" fits this message, and it was not activated.\n${merge!.outcome.text}\n\n${pdf!.outcome.text}`,
    )
    expect(turn.suggested).toEqual([])
    expect(activeNames(session)).toEqual(['pdf'])
  })

  it('[ACT-11, ASK-3] only suggests them where nobody can be asked', async () => {
    const session = await open({ turns: { triggers: 'activate' } })
    expect(await session.beginTurn('the pdf')).toMatchObject({ activated: [], suggested: ['merge', 'pdf'] })
    expect(session.state.open).toEqual([])
  })

  it('[ACT-10, ACT-11] suggests a fork, whose sub-agent would not see the message', async () => {
    const session = await open({ ...yes, turns: { triggers: 'activate' } })
    const fork = (): Promise<string> => Promise.reject(new Error('ran'))
    expect(await session.beginTurn('research this', { fork })).toMatchObject({ activated: [], suggested: ['forked'] })
    const turn = await session.beginTurn('research the pdf', { fork })
    const texts = turn.activated.map(({ outcome }) => outcome.text)
    expect(turn).toMatchObject({ activated: [{ name: 'merge' }, { name: 'pdf' }], suggested: ['forked'] })
    expect(turn.text).toBe(
      `${texts.join('\n\n')}\n\nSkills that may fit this message: "forked". If one does, call \`activate_skill\` with its name before anything else.`,
    )
  })

  it('[ACT-11] takes five skills at the most, and none that is active', async () => {
    const skills = Object.fromEntries(
      Array.from({ length: 9 }, (_, n) => [`s${n}`, skill(`s${n}`, 'triggers: [pdf]\n')]),
    )
    const session = await open(
      { ...yes, turns: { triggers: 'activate' } },
      { sources: [memorySource({ layer: 'project', skills })] },
    )
    expect((await session.beginTurn('the pdf')).activated.map(({ name }) => name)).toEqual([
      's0',
      's1',
      's2',
      's3',
      's4',
    ])
    expect((await session.beginTurn('the pdf')).activated.map(({ name }) => name)).toEqual(['s5', 's6', 's7', 's8'])
  })
})

describe('every turn', () => {
  it('[ACT-7] of a session that has ended does nothing', async () => {
    const session = await open({ ...yes, turns: { triggers: 'activate' } })
    await session.end()
    expect(await session.beginTurn('/pdf')).toEqual(NOTHING)
    expect(await session.beginTurn('the pdf')).toEqual(NOTHING)
  })

  it('[ACT-7] is given up where its run is aborted', async () => {
    const session = await open({ ...yes, turns: { triggers: 'activate' } })
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(session.beginTurn('/pdf', { signal })).rejects.toThrow('enough')
    await expect(session.beginTurn('the pdf', { signal })).rejects.toThrow('enough')
    expect(activeNames(session)).toEqual([])
  })

  it('[ADPT-4] takes a text and nothing else', async () => {
    const session = await open(yes)
    await expect(session.beginTurn(foreign([{ type: 'text', text: '/pdf' }]))).rejects.toThrow(
      new TypeError('`beginTurn` takes the text of the message. Join the parts that are text, or give an empty one.'),
    )
  })

  it('[GATE-5] takes effect at once: the next call is judged by what it activated', async () => {
    const skills = { strict: skill('strict', 'allowed-tools: []\n') }
    const session = await open(yes, { sources: [memorySource({ layer: 'project', skills })] })
    await session.step({ tools: ['Bash'] })
    await session.beginTurn('/strict')
    await session.step({ tools: ['Bash'] })
    const outcome = await session.call({ id: 'c', tool: 'Bash', input: {} }, () => 'ran')
    expect(refusal(outcome)).toBe('TOOL_NOT_ALLOWED')
  })
})
