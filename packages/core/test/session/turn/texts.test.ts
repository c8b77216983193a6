import { describe, expect, it } from 'vitest'
import {
  type ConsentHandler,
  DEFAULT_TOOL_NAMES,
  type ListingStyle,
  type Outcome,
  type RefusalCode,
  type TriggerMode,
} from '../../../src/index.ts'
import { resolveTurns } from '../../../src/session/turn/settings.ts'
import { type CandidateSkill, type TurnContext, takeTurn } from '../../../src/session/turn/turn.ts'
import { resolveListing } from '../../../src/tools/skill-list.ts'
import { withTriggers } from './triggered.ts'

const ok = (text?: string): Outcome => ({ ok: true, value: 1, ...(text !== undefined && { text }) })
const refused = (code: RefusalCode): Outcome => ({
  ok: false,
  refusal: { code, reason: 'No.' },
  text: `{"error":"${code}"}`,
})

interface World {
  readonly triggers?: TriggerMode
  readonly style?: ListingStyle
  readonly consent?: ConsentHandler | undefined
  readonly skills?: readonly CandidateSkill[]
  readonly turn?: Partial<TurnContext<CandidateSkill>>
}

/** The turn of a message, and the skills whose triggers activated them. */
async function turned(message: unknown, { triggers = 'suggest', style = 'xml', skills = [], turn, ...more }: World) {
  const triggered: string[] = []
  const context = {
    turns: resolveTurns({ triggers }),
    listing: resolveListing(style, undefined, []),
    toolNames: { ...DEFAULT_TOOL_NAMES, activate: 'use_skill' },
    consent: 'consent' in more ? more.consent : () => true,
  }
  const result = await takeTurn(
    {
      context,
      hasPerson: () => true,
      active: () => [],
      visible: () => skills,
      invocation: () => undefined,
      invoke: () => Promise.reject(new Error('invoked')),
      trigger: async ({ name }) => {
        triggered.push(name)
        return ok(`Text of ${name}.`)
      },
      ...turn,
    },
    message,
  )
  return { ...result, triggered }
}
const skills = ['one', 'two', 'three', 'four', 'five', 'six'].map((name) => withTriggers(name, { keywords: ['word'] }))
const NOTHING = { activated: [], suggested: [], triggered: [] }

describe('a turn', () => {
  it('[ACT-11] suggests one skill, or several, with what to call', async () => {
    expect((await turned('a word', { skills: skills.slice(0, 1) })).text).toBe(
      'This skill may fit this message: "one". If it does, call `use_skill` with its name before anything else.',
    )
    expect((await turned('a word', { skills: skills.slice(0, 2) })).text).toBe(
      'These skills may fit this message: "one", "two". If one does, call `use_skill` with its name before anything else.',
    )
    expect((await turned('a word', { skills: skills.slice(0, 2), style: 'tools' })).text).toBe(
      'These skills may fit this message: "one", "two". If one does, call `skill_one` or `skill_two` before anything else.',
    )
  })

  it('[ACT-11] takes five at the most, and none that is active', async () => {
    const active = () => [{ name: 'two' }]
    expect((await turned('a word', { skills, turn: { active } })).suggested).toEqual([
      'one',
      'three',
      'four',
      'five',
      'six',
    ])
    expect((await turned('a word', { skills })).suggested).toEqual(['one', 'two', 'three', 'four', 'five'])
  })

  it('[ACT-11, ABUSE-105] shows no name with what nobody sees, on one line', async () => {
    const odd = withTriggers('o\u200Bn\ne', { keywords: ['word'] })
    expect((await turned('a word', { skills: [odd] })).text).toMatch(
      /^This skill may fit this message: "o\\u\{200B\}n\\u\{A\}e"\. If it/,
    )
  })

  it('[ACT-11] activates what does not fork, and suggests what does, one text after the other', async () => {
    const fork = withTriggers('fork', { keywords: ['word'] })
    const all = [skills[0]!, { ...fork, manifest: { ...fork.manifest, context: 'fork' as const } }, skills[1]!]
    const both = await turned('a word', { skills: all, triggers: 'activate' })
    expect(both).toMatchObject({ triggered: ['one', 'two'], suggested: ['fork'] })
    expect(both.text).toBe(
      'Text of one.\n\nText of two.\n\nThis skill may fit this message: "fork". If it does, call `use_skill` with its name before anything else.',
    )
    expect(both.activated).toEqual([
      { name: 'one', outcome: ok('Text of one.') },
      { name: 'two', outcome: ok('Text of two.') },
    ])
  })

  it('[ACT-11, ASK-3] activates nothing where nobody can be asked', async () => {
    expect(
      await turned('a word', { skills: skills.slice(0, 1), triggers: 'activate', consent: undefined }),
    ).toMatchObject({
      triggered: [],
      activated: [],
      suggested: ['one'],
    })
  })

  it('[ACT-11] says why what fits was not activated, and nothing of what has no text', async () => {
    const two = { skills: skills.slice(0, 1), triggers: 'activate' } as const
    expect((await turned('a word', { ...two, turn: { trigger: async () => refused('HOOK_FAILED') } })).text).toBe(
      'The skill "one" fits this message, and it was not activated.\n{"error":"HOOK_FAILED"}',
    )
    expect((await turned('a word', { ...two, turn: { trigger: async () => ok() } })).text).toBe('')
  })

  it('[ACT-11] is nothing where triggers are off, nothing fits, or no person is there', async () => {
    expect(await turned('a word', { skills, triggers: 'off' })).toStrictEqual(NOTHING)
    expect(await turned('none', { skills })).toStrictEqual(NOTHING)
    expect(await turned('a word', { skills, turn: { hasPerson: () => false } })).toStrictEqual(NOTHING)
  })

  it('[ACT-12] carries out what a message invokes, and looks for nothing else', async () => {
    const invoking = (outcome: Outcome) => ({
      skills,
      turn: { invocation: () => ({ id: 'm', skill: 'one' }), invoke: async () => outcome },
    })
    expect(await turned('a word', invoking(ok('Text.')))).toStrictEqual({
      ...NOTHING,
      invoked: { name: 'one', outcome: ok('Text.') },
      text: 'Text.',
    })
    expect(await turned('a word', invoking(ok()))).toMatchObject({ text: '' })
    const lead = 'The user asked for the skill "one", and it was not activated.'
    expect(await turned('a word', invoking(refused('CONSENT_DENIED')))).toMatchObject({
      text: `${lead}\n{"error":"CONSENT_DENIED"}`,
    })
    expect(await turned('a word', invoking(refused('SKILL_NOT_FOUND')))).toStrictEqual({
      ...NOTHING,
      invoked: { name: 'one', outcome: refused('SKILL_NOT_FOUND') },
      text: lead,
    })
  })

  it('[ADPT-4] refuses what is not text, and says what to give', async () => {
    const message = '`beginTurn` takes the text of the message. Join the parts that are text, or give an empty one.'
    await expect(turned([{ type: 'text' }], {})).rejects.toThrow(new TypeError(message))
  })
})
