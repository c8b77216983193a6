import { describe, expect, it } from 'vitest'
import type { ConsentHandler, ConsentRequest, ToolCall } from '../../../src/index.ts'
import { initialState } from '../../../src/adapter.ts'
import { openToolTable } from '../../../src/gate/index.ts'
import { parseAllowedTools } from '../../../src/manifest/index.ts'
import { isGranted, obtainConsent } from '../../../src/session/consent/obtain.ts'
import { createQuestions } from '../../../src/session/consent/questions.ts'
import { type ConsentSubject, consentRequest } from '../../../src/session/consent/request.ts'
import { createStateHolder } from '../../../src/session/state/holder.ts'
import type { OpenRequest } from '../../../src/session/state/state.ts'

const call: ToolCall = { id: 'c', tool: 'activate_skill', input: { name: 'pdf' } }

/** A skill whose folder has this content now. */
const subject = (digest = 'd', whole = true): ConsentSubject => ({
  skill: { name: 'pdf', source: 's', layer: 'project', location: '/skills/pdf' },
  manifest: { description: 'Reads PDF files.', hooks: { pre: [], post: [] }, toolsets: [] },
  digest,
  whole,
  listing: { ...filesOf(), withheld: filesOf() },
  files: new Map(),
  scripts: [],
})

const filesOf = (...files: readonly { readonly path: string; readonly size: number }[]) => ({
  files: files.map((file) => ({ ...file, executable: false })),
  truncated: false,
  refused: [],
})

const NO_RISK = { runsCode: [], unknown: [], noEffect: [] }

const idOf = (skill: ConsentSubject, of: ToolCall = call) => consentRequest('task', of, skill, undefined, NO_RISK).id

/** Obtains consent to the call. */
const obtain = (of: ReturnType<typeof session>, skill: ConsentSubject) =>
  obtainConsent(of, call, skill, {
    place: createQuestions().placeFor({ context: {}, state: of.state }),
    args: undefined,
    signal: undefined,
  })

/** A session with these open requests, and perhaps a handler. */
const session = (open: readonly OpenRequest[], consent?: ConsentHandler) => ({
  context: {
    consent,
    consentTimeout: 60_000,
    tools: openToolTable({}),
    checkpoint: undefined,
    loadTimeout: 60_000,
    reportProblem: () => {},
  },
  state: createStateHolder({ state: { ...initialState('task'), open }, changes: [] }),
})

describe('consent', () => {
  it('[ASK-5] is the answer to exactly this consent request, which is settled by it, with the reason that was given', async () => {
    const mine = session([
      { id: 'other', callId: 'other', approved: false },
      { id: idOf(subject()), callId: 'c', approved: true },
    ])
    expect(await obtain(mine, subject())).toEqual({ approved: true })
    expect(mine.state.current().open.map(({ id }) => id)).toEqual(['other'])
    expect(mine.state.current().granted).toEqual([{ skill: 'pdf', source: 's', digest: 'd' }])

    const refused = session([{ id: idOf(subject()), callId: 'c', approved: false, reason: 'not now' }])
    expect(await obtain(refused, subject())).toEqual({
      approved: false,
      reason: 'not now',
    })
    expect(refused.state.current()).toMatchObject({ open: [], granted: [] })

    const silent = session([{ id: idOf(subject()), callId: 'c', approved: false }])
    const outcome = await obtain(silent, subject())
    expect('reason' in outcome).toBe(false)
  })

  it('[ASK-3] is none where nobody was asked, or nobody has answered', async () => {
    const nobody = { approved: false, reason: 'nobody could be asked' }
    expect(await obtain(session([]), subject())).toEqual(nobody)
    const open = session([
      { id: idOf(subject()), callId: 'c' },
      { id: 'other', callId: 'other', approved: true },
    ])
    expect(await obtain(open, subject())).toEqual(nobody)
    expect(open.state.current().open).toHaveLength(2)
  })

  it('[ASK-2, ABUSE-94] is none where the answer was about something else of this call, and says what', async () => {
    const folder = session([
      { id: 'quite another', callId: 'c', approved: true },
      { id: idOf(subject('before')), callId: 'c', approved: true },
    ])
    expect(await obtain(folder, subject('now'))).toEqual({
      approved: false,
      reason: 'the answer was for the folder as it was before it changed',
      isOutdated: true,
    })
    const asked = session([{ id: idOf(subject(), { ...call, input: { name: 'zip' } }), callId: 'c', approved: true }])
    expect(await obtain(asked, subject())).toEqual({
      approved: false,
      reason: 'the answer was for another call than this one, or for a skill of another source',
    })
    expect(asked.state.current().granted).toEqual([])
  })

  it('[ASK-1, ASK-2] holds for the same content without another consent request, where all of it could be seen', async () => {
    let questions = 0
    const asking = session([], () => {
      questions++
      return true
    })
    for (const digest of ['d', 'd', 'e', 'd']) await obtain(asking, subject(digest))
    expect(questions).toBe(2)
    expect(isGranted(asking.state.current(), subject('e'))).toBe(true)
    expect(isGranted(asking.state.current(), subject('f'))).toBe(false)
    expect(isGranted(asking.state.current(), subject('d', false))).toBe(false)

    await obtain(asking, subject('unseen', false))
    await obtain(asking, subject('unseen', false))
    expect(questions).toBe(4)
    expect(asking.state.current().granted.map(({ digest }) => digest)).toEqual(['d', 'e'])
  })
})

describe('a consent request', () => {
  const question = (of: Partial<ToolCall>, skill = subject(), task = 'task') =>
    consentRequest(task, { ...call, ...of }, skill, undefined, NO_RISK)

  it('[ASK-2, ABUSE-94] is another one of another session, call, input or content', () => {
    const { id } = question({})
    expect(question({}).id).toBe(id)
    expect(id).toMatch(/^[\da-f]{48}$/)
    for (const other of [
      question({ id: 'd' }),
      question({ input: { name: 'pdf', args: 'x' } }),
      question({ input: undefined }),
      question({}, subject('e')),
      question({}, subject(), 'other'),
    ]) {
      expect(other.id).not.toBe(id)
    }
  })

  it('[ASK-2] is the same one where a store reorders the keys of an input', () => {
    const ordered = question({ input: { a: 1, b: { c: [2, { d: 3, e: 4 }], f: 5n } } })
    expect(question({ input: { b: { f: 5n, c: [2, { e: 4, d: 3 }] }, a: 1 } }).id).toBe(ordered.id)
    expect(question({ input: { a: 1, b: { c: [{ d: 3, e: 4 }, 2], f: 5n } } }).id).not.toBe(ordered.id)
    expect(question({ input: { a: 1, b: { c: [2, { d: 3, e: 4 }], f: '5' } } }).id).not.toBe(ordered.id)
    const nested = question({ input: { b: { d: 3, e: [] } } })
    expect(question({ input: { b: { e: [], d: 3 } } }).id).toBe(nested.id)
    expect(question({ input: null }).id).toBe(question({ input: undefined }).id)
  })

  it('[ASK-4] shows what there is, and leaves out what there is not', () => {
    expect(question({}).text).toBe(
      [
        'Activate the skill "pdf"?',
        '  what it says:  Reads PDF files.',
        '  from:          project layer, s',
        '  folder:        /skills/pdf',
        '  tools:         any tool (it restricts nothing)',
        "  a yes means:   all tools stay usable as before. The host's policy still applies.",
        '  scripts:       none',
        '  hooks:         none',
        '  sha256:        d',
      ].join('\n'),
    )
    const all = {
      ...subject('d', false),
      listing: {
        ...filesOf({ path: 'a.md', size: 1 }, { path: 'gone.md', size: 1 }),
        truncated: true,
        refused: [{ path: 'latest', reason: 'a link' }],
        withheld: {
          ...filesOf({ path: '.big, bin', size: 2 ** 30 }),
          refused: ['1', '2', '3'].map((path) => ({ path, reason: 'a link' })),
        },
      },
      files: new Map([['a.md', 'hash']]),
      scripts: ['a.sh', 'b c.sh', 'none', 'd"e'],
      manifest: {
        description: 'Reads.',
        allowedTools: [{ tool: 'Bash', pattern: 'git:*' }, { tool: 'Read' }],
        disallowedTools: [{ tool: 'Write' }],
        hooks: { pre: ['make'], post: ['make clean'] },
        toolsets: ['mod:Tools'],
      },
    }
    expect(consentRequest('task', call, all, 'x\u0007y', NO_RISK).text).toBe(
      [
        'Activate the skill "pdf"?',
        String.raw`  arguments:     x\u{7}y`,
        '  what it says:  Reads.',
        '  from:          project layer, s',
        '  folder:        /skills/pdf',
        '  tools:         Read, Bash(git:*)',
        '  but not:       Write',
        "  a yes means:   only these tools may be used while the skill is active, as far as the host's policy and other active skills allow them.",
        '  scripts:       a.sh, "b c.sh", "none", "d\\"e"',
        '  hooks:         make, "make clean"',
        '  brings tools:  mod:Tools',
        '  sha256:        d',
        '  note:          the answer is for this activation alone, since the folder holds what cannot be checked: latest (a link), gone.md (unreadable), more files or deeper folders than are looked at, 1 (a link), 2 (a link) and 2 more',
      ].join('\n'),
    )
    expect(consentRequest('task', call, all, 'x', NO_RISK)).toMatchObject({
      callId: 'c',
      session: 'task',
      args: 'x',
      allowedTools: ['Bash(git:*)', 'Read'],
      disallowedTools: ['Write'],
      hooks: ['make', 'make clean'],
      toolsets: ['mod:Tools'],
    })
    for (const absent of ['args', 'allowedTools', 'disallowedTools']) expect(question({})).not.toHaveProperty(absent)
  })

  it('[GATE-11] says which rules hand out programs that run any code, or that are not known', async () => {
    const asked: ConsentRequest[] = []
    const skill = (allowed: string): ConsentSubject => {
      const rules = parseAllowedTools(allowed)
      const allowedTools = rules.ok ? rules.rules : []
      return { ...subject(), manifest: { ...subject().manifest, allowedTools } }
    }
    const mine = session([], (request) => asked.push(request) < 0)
    const rules =
      'Read Bash(git log:*) Bash(make:*) Bash(npm test) Bash(sqlite3 x.db:*) Bash(acme:*) Bash(acme x) shell Bash(git gui:*)'
    await obtain(mine, skill(rules))
    await obtain(mine, skill('Read Bash(git log:*)'))
    expect(asked[0]).toMatchObject({
      runsCode: ['Bash(make:*)', 'Bash(npm test)', 'Bash(sqlite3 x.db:*)', 'shell'],
      unknownPrograms: ['Bash(acme:*)'],
      rulesWithoutEffect: ['Bash(git gui:*)'],
    })
    expect(asked[0]!.text).toContain('\n  runs any code: Bash(make:*), "Bash(npm test)", ')
    expect(asked[0]!.text).toContain('\n  not known:     Bash(acme:*)\n')
    expect(asked[0]!.text).toContain('\n  no effect:     "Bash(git gui:*)" (nothing is permitted by that)\n')
    expect(asked[1]).not.toHaveProperty('runsCode')
    expect(asked[1]).not.toHaveProperty('unknownPrograms')
    expect(asked[1]).not.toHaveProperty('rulesWithoutEffect')
    expect(asked[1]!.text).not.toMatch(/runs any code|not known|no effect/)
  })

  it('[ASK-4] names so many of each kind, and says how many more there are', () => {
    const names = (count: number) => Array.from({ length: count }, (_, index) => `x${index}`)
    const shown = (kind: string, count: number): string => {
      const manifest = {
        description: kind === 'what it says' ? 'x'.repeat(count) : 'Reads.',
        ...(kind === 'tools' && { allowedTools: names(count).map((tool) => ({ tool })) }),
        ...(kind === 'but not' && { disallowedTools: names(count).map((tool) => ({ tool })) }),
        hooks: { pre: kind === 'hooks' ? names(count) : [], post: [] },
        toolsets: kind === 'brings tools' ? names(count) : [],
      }
      const scripts = kind === 'scripts' ? names(count) : []
      const skill = { ...subject(), manifest, scripts }
      return consentRequest('task', call, skill, undefined, NO_RISK)
        .text.split('\n')
        .find((line) => line.startsWith(`  ${kind}:`))!
    }
    for (const [kind, most] of [
      ['tools', 100],
      ['but not', 100],
      ['hooks', 100],
      ['brings tools', 100],
      ['scripts', 20],
    ] as const) {
      expect(shown(kind, most)).toMatch(new RegExp(`, x${most - 1}$`))
      expect(shown(kind, most + 2)).toMatch(new RegExp(`, x${most - 1} and 2 more$`))
    }
    expect(shown('what it says', 2_000)).toMatch(/: {2}x{2000}$/)
    expect(shown('what it says', 2_003)).toMatch(/: {2}x{2000}… and 3 more characters$/)
  })
})
