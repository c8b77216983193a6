import { describe, expect, it } from 'vitest'
import { type AdapterSessionOptions, openAdapterSession, type AdapterSession } from '../../../src/adapter.ts'
import { type RepertoireOptions, memorySource, openRepertoire } from '../../../src/index.ts'
import { reminderOf, HOST } from '../session-world.ts'

type Skills = Readonly<Record<string, Readonly<Record<string, string>>>>

const file = (name: string, body = `Body of ${name}: $ARGUMENTS.`) => ({
  'SKILL.md': `---\nname: ${name}\ndescription: d\n---\n${body}\n`,
})
const AGREED: Skills = { one: file('one'), two: file('two') }

/** A session of a repertoire that knows nothing of what another one showed. */
async function open(skills: Skills, session: AdapterSessionOptions = {}, options: Partial<RepertoireOptions> = {}) {
  const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })], ...options })
  return openAdapterSession(repertoire, { id: 'task', consent: () => true, ...session })
}
async function activate(session: AdapterSession, name: string, args: string): Promise<string> {
  const step = await session.step({ tools: HOST })
  const { text } = await step.call({ id: name, tool: 'activate_skill', input: { name, args } })
  return text ?? ''
}
const lost = (): boolean => false

describe('a reminder of a session that goes on if nothing is remembered', () => {
  it('[ACT-14, ACT-15] gives the same bytes, made again from the folder', async () => {
    const first = await open(AGREED)
    const texts = [await activate(first, 'one', 'x'), await activate(first, 'two', 'y')]
    const session = await open(AGREED, { saved: first.save() })
    expect(await reminderOf(session, lost)).toBe(texts.join('\n\n'))
    expect(await reminderOf(session, lost)).toBe(texts.join('\n\n'))
    expect(await reminderOf(session, (text) => texts[0]!.includes(text))).toBe(texts[1])
  })

  it('[ACT-14, ASK-2] shows nothing of a folder that is another one now, gone or broken', async () => {
    const first = await open(AGREED)
    const [, guidance] = (await activate(first, 'one', 'x')).split('</skill_content>\n\n')
    const two = await activate(first, 'two', 'y')
    const said =
      'The instructions of the active skill "one" cannot be shown any more: its folder is not what was agreed to. Go on with what you know of them.'
    for (const one of [file('one', 'Evil.'), undefined]) {
      const session = await open({ ...(one && { one }), two: AGREED['two']! }, { saved: first.save() })
      expect(await reminderOf(session, lost)).toBe(`${said}\n\n${guidance}\n\n${two}`)
      // What is left of it stands in the conversation.
      expect(await reminderOf(session, (text) => text === '<skill_content name="one"')).toBe(`${two}\n\n${guidance}`)
      expect(await reminderOf(session, (text) => text === two)).toBe(`${said}\n\n${guidance}`)
    }
  })

  it('[ACT-14] says how to activate it again with the tools of the step', async () => {
    const first = await open(AGREED)
    await activate(first, 'one', 'x')
    const options = { skillToolNames: { activate: 'use', deactivate: 'leave' } }
    const session = await open({ one: file('one', 'Other.') }, { saved: first.save() }, options)
    expect(await reminderOf(session, lost)).toContain('Call `leave`: it can then be activated as it is now.')
    const tools = { skillToolNames: { deactivate: 'leave' }, listing: { style: 'tools' } } as const
    const withOwnTools = await open({ one: file('one', 'Other.') }, { saved: first.save() }, tools)
    expect(await reminderOf(withOwnTools, lost)).toContain('Call `leave`: it can then be activated as it is now.')
  })
})
