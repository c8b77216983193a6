import { describe, expect, it } from 'vitest'
import type { AdapterSession } from '../../../src/adapter.ts'
import { memorySource, type ScriptJob } from '../../../src/index.ts'
import { code } from '../outcome.ts'
import { hooksBy } from '../hook-runner.ts'
import { activate, HOST, open, skillText, step, reminderOf } from '../session-world.ts'

const BODY = 'Read $1 first.\n\nThis line stays, and so does \\$1.\n\nThen write to $ARGUMENTS[1].'
const sources = [
  memorySource({
    layer: 'project',
    skills: {
      convert: { 'SKILL.md': skillText('convert', 'hooks: { post: [clean.sh] }\n', BODY), 'clean.sh': '' },
      plain: { 'SKILL.md': skillText('plain') },
      sly: { 'SKILL.md': skillText('sly', '', 'Do $1') },
    },
  }),
]
const runs: ScriptJob[] = []
const scripts = hooksBy((job) => ({ ok: runs.push(job) > 0 }))

const activateWith = (session: AdapterSession, name: string, args: string) =>
  step(session, 'activate_skill', { name, args })

describe('the activation of a skill that is active already', () => {
  it('[ACT-6] returns a short note, also for the arguments that it has', async () => {
    const { session } = await open({}, { sources, scripts })
    await activateWith(session, 'convert', 'a.md b.md')
    const note = await activate(session, 'convert')
    expect(note.text).toMatch(/^The skill "convert" is already active\. Follow its instructions/)
    expect(await activateWith(session, 'convert', 'a.md b.md')).toMatchObject({ text: note.text })
  })

  it('[ACT-6] returns the text again with other arguments, as their activation would have', async () => {
    const { session } = await open({}, { sources, scripts })
    const { text: first } = await activateWith(session, 'convert', 'a.md b.md')
    const other = await activateWith(session, 'convert', '"c d.md" e.md')
    const { session: fresh } = await open({}, { sources, scripts })
    const alone = await activateWith(fresh, 'convert', '"c d.md" e.md')
    expect(other.text).toContain('Read c d.md first.\n\nThis line stays')
    expect(alone.text!.startsWith(other.text!)).toBe(true)
    expect(other).toMatchObject({ ok: true, value: { name: 'convert', args: '"c d.md" e.md' } })
    expect(session.state.active).toMatchObject([{ name: 'convert', args: 'a.md b.md' }])
    // The first text is what a shortened conversation is reminded of.
    expect(first!.startsWith((await reminderOf(session, (text) => !text.startsWith('<skill_content')))!)).toBe(true)
  })

  it('[ACT-6] asks nobody, runs no hook, and returns the instructions once to calls of one message with the same arguments', async () => {
    let asked = 0
    const { session } = await open({ consent: () => ++asked > 0 }, { sources, scripts })
    const message = await session.step({ tools: HOST })
    const calls = ['a.md', 'b.md', 'a.md'].map((args, index) =>
      message.call({ id: `${index}`, tool: 'activate_skill', input: { name: 'convert', args } }, () => ''),
    )
    const [first, second, third] = await Promise.all(calls)
    expect(first!.text).toContain('Read a.md first.')
    expect(second!.text).toMatch(/^<skill_content name="convert"[^]*Read b\.md first\./)
    expect(third!.text).toMatch(/^The skill "convert" is already active\. Follow its instructions/)
    expect(asked).toBe(1)
  })

  it('[ACT-6, ASK-8] asks about one of two calls in a message, and leaves no request open', async () => {
    const { session } = await open({ consent: undefined }, { sources })
    const message = await session.step({ tools: HOST })
    const calls = ['a', 'b'].map((id) => ({ id, tool: 'activate_skill', input: { name: 'plain' } }))
    const requests = await Promise.all(
      calls.map((call) => message.preview(call, { asks: true }).then(({ waits }) => waits)),
    )
    expect(requests.map((request) => request?.callId)).toEqual(['a', undefined])
    session.answer({ requestId: requests[0]!.id, approved: true })
    const outcomes = await Promise.all(calls.map((call) => message.call(call, () => '')))
    expect(outcomes.map(code)).toEqual(['ok', 'ok'])
    expect(outcomes[1]!.text).toContain('is already active')
    expect(session.state.open).toEqual([])
  })

  it('[ACT-6] refuses other arguments that are too long', async () => {
    const { session } = await open({}, { sources })
    await activateWith(session, 'sly', 'this')
    expect(code(await activateWith(session, 'sly', 'x'.repeat(100_001)))).toBe('INPUT_INVALID')
  })
})
