import { describe, expect, it } from 'vitest'
import { type AuditEvent, type RepertoireOptions, type WindowOptions, memorySource } from '../../../src/index.ts'
import { adapterSession, type SessionState, type WindowMessage } from '../../../src/adapter.ts'
import { activate, reminderOf } from '../session-world.ts'
import { savedOf } from '../state/saved-world.ts'
import { longTask, openWindow, promptOf } from './window-world.ts'

describe('active skills that are too long for the window', () => {
  const long = (name: string): string =>
    `---\nname: ${name}\ndescription: Is ${name}.\n---\n${`${name} `.repeat(300)}\n`
  const skills = {
    low: { 'SKILL.md': long('low') },
    middle: { 'SKILL.md': long('middle') },
    top: { 'SKILL.md': long('top') },
  }
  const sources = [memorySource({ layer: 'project', skills })]

  async function threeActive(window: WindowOptions, more: Partial<RepertoireOptions> = {}) {
    const world = await openWindow({
      sources,
      ...more,
      context: { window: 1_000, summaries: { ...window, summarize: false }, ...more.context },
    })
    const task: WindowMessage[] = [{ role: 'user', text: 'Begin.' }]
    for (const name of ['low', 'middle', 'top']) {
      await reminderOf(world.session, () => true)
      const outcome = await activate(world.session, name, name)
      const text = outcome.ok ? (outcome.text ?? '') : ''
      task.push(
        { role: 'assistant', text: '', calls: [{ id: name, tool: 'activate_skill', input: { name } }] },
        { role: 'tool', text, answers: [name] },
      )
    }
    const sent = await world.send([...task, ...longTask(6, 5).slice(1)])
    const reminder = await reminderOf(world.session, (text) => sent.some((each) => each.includes(text)))
    const active = world.session.activeSkills
    return { ...world, active, shown: ['low', 'middle', 'top'].filter((name) => reminder?.includes(`${name} ${name}`)) }
  }

  it('[WIN-4] stay active and are shown, and the host is told that they do not fit', async () => {
    const { active, shown, problems } = await threeActive({ keepMessages: 5 })
    expect([active, shown]).toEqual([
      ['low', 'middle', 'top'],
      ['low', 'middle', 'top'],
    ])
    expect(problems.map(({ code }) => code)).toEqual(['WINDOW_EXCEEDED'])
  })

  it('[WIN-4] are deactivated from the bottom of the stack where the host has asked for it, as far as needed', async () => {
    const { active, shown, problems, events } = await threeActive({ keepMessages: 5, lowerSkills: 'deactivate' })
    expect([active, shown]).toEqual([
      ['middle', 'top'],
      ['middle', 'top'],
    ])
    expect(problems.map(({ code, skill }) => [code, skill])).toEqual([['SKILL_DEACTIVATED', 'low']])
    const ended = events.filter(({ type }) => type === 'skill.deactivated')
    expect(ended.map(({ skill, endedBy }) => [skill?.name, endedBy])).toEqual([['low', 'window']])
  })

  it('[WIN-4, ACT-6] are activated again by the message after, with their instructions', async () => {
    const { active, session } = await threeActive({ keepMessages: 5, lowerSkills: 'deactivate' })
    expect(active).toEqual(['middle', 'top'])
    const again = { id: 'again', tool: 'activate_skill', input: { name: 'low' } }
    expect((await session.call(again, () => undefined)).text).toContain('low low low')
    expect(session.activeSkills).toEqual(['middle', 'top', 'low'])
  })

  it('[WIN-4, ACT-10] stay where a sub-agent works for them', async () => {
    const first = await threeActive({ keepMessages: 5 })
    const { state } = first.session.save()
    const forked = state.active.map((skill, index) => (index === 0 ? { ...skill, forked: true as const } : skill))
    const saved = savedOf({ id: 'fork', active: forked, guided: true })
    const again = await openWindow(
      {
        sources,
        context: { window: 1_000, summaries: { keepMessages: 5, lowerSkills: 'deactivate', summarize: false } },
      },
      { saved },
    )
    await again.send(longTask(6, 5))
    expect(again.session.activeSkills).toEqual(['low', 'top'])
  })

  it('[WIN-4, OBS-3] stay where it cannot be recorded that they are deactivated', async () => {
    const write = ({ endedBy }: AuditEvent): void => {
      if (endedBy === 'window') throw new Error('no space left')
    }
    const { active } = await threeActive(
      { keepMessages: 5, lowerSkills: 'deactivate' },
      { audit: { sink: { write }, required: true } },
    )
    expect(active).toEqual(['low', 'middle', 'top'])
  })
})

describe('a sub-agent', () => {
  it('[WIN-7, ACT-10] keeps to its own window, and has its skill’s instructions in it', async () => {
    const manifest = '---\nname: scout\ndescription: Scouts.\ncontext: fork\n---\nSCOUT AHEAD.\n'
    const { session } = await openWindow({
      sources: [memorySource({ layer: 'project', skills: { scout: { 'SKILL.md': manifest } } })],
    })
    const parent = longTask(20, 40)
    await promptOf(await session.step({ tools: [] }), { system: undefined, tools: [], messages: parent })
    const before = session.state.summary
    let sent: readonly string[] = []
    let own: SessionState | undefined
    const call = { id: 'f', tool: 'activate_skill', input: { name: 'scout' } }
    const outcome = await session.call(call, () => undefined, {
      async fork({ session: child, message }) {
        const step = await adapterSession(child).step({ tools: [] })
        const messages: WindowMessage[] = [{ role: 'user', text: message }, ...longTask(20, 40, 50).slice(1)]
        const prompt = await promptOf(step, { system: undefined, tools: [], messages })
        sent = prompt.messages.map(({ text }) => text)
        own = adapterSession(child).state
        return 'Scouted.'
      },
    })
    expect(outcome.ok).toBe(true)
    // What it was told to do is the message of the person, for it.
    expect(sent[1]).toContain('SCOUT AHEAD.')
    expect(own?.summary?.covers).toBe(31)
    expect(own!.summary!.digest).not.toBe(before?.digest)
    expect(session.state.summary).toEqual(before)
  })
})
