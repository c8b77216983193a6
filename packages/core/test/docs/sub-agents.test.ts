import { expect, it } from 'vitest'
import { adapterSession, openAdapterSession } from '../../src/adapter.ts'
import { memorySource, openRepertoire } from '../../src/index.ts'
import { forkWith } from './sub-agents-example.ts'

it('[ADPT-4, ACT-10] shows on the page of sub-agents a fork that is compiled and runs', async () => {
  const manifest = '---\nname: dig\ndescription: Digs.\ncontext: fork\nallowed-tools: Read\n---\nDig for $1.\n'
  const sources = [memorySource({ layer: 'project', skills: { dig: { 'SKILL.md': manifest } } })]
  const session = openAdapterSession(await openRepertoire({ sources }), { id: 'task', consent: () => true })
  const fork = forkWith(async (child, system, message, signal) => {
    await adapterSession(child).step({ tools: ['Read', 'Write'] })
    const outcomes = await Promise.all(
      ['Read', 'Write'].map((tool) => child.call({ id: tool, tool, input: {} }, () => 'ran', { signal })),
    )
    expect(system).not.toBe('')
    expect(message).toContain('Dig for gold.')
    return outcomes.map(({ ok }) => ok).join(' ')
  })
  const call = { id: 'c', tool: 'activate_skill', input: { name: 'dig', args: 'gold' } }
  const outcome = await session.call(call, () => '', { fork })
  expect(outcome.text).toBe('<skill_result name="dig">\ntrue false\n</skill_result>')
})
