import { expect, it } from 'vitest'
import { adapterSession } from '../../src/adapter.ts'
import { memorySource, openRepertoire } from '../../src/index.ts'
import { SKILLS } from '../session/execution/execution-world.ts'
import { openTask } from './skill-types-example.ts'
import { render } from './skill-types-executor-example.ts'

const plan = {
  'SKILL.md':
    '---\nname: plan\ndescription: d\ntype: composite\n---\n```yaml\nsteps:\n  - tool: Read\n    parameters: { path: a }\n```\n',
}

it('[ADPT-4, RUN-2] shows on the page of skill types a task whose plans are carried out', async () => {
  const skills = { greet: SKILLS['greet']!, plan }
  const session = await openTask([memorySource({ layer: 'project', skills })], ({ tool }) => `${tool} ran`)
  await adapterSession(session).step({ tools: ['Read'] })
  const call = (name: string, args?: string) =>
    session.call({ id: name, tool: 'activate_skill', input: { name, args } }, () => undefined)
  expect((await call('greet', '{"name":"Ann"}')).text).toContain('Dear Ann')
  expect((await call('plan')).text).toContain('All steps are done: 1 of 1.\nStep 1, `Read`: done.\nRead ran')
})

it('[ADPT-4, RUN-1] shows there a program that renders a template itself', async () => {
  const skills = { greet: SKILLS['greet']! }
  const opened = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] })
  expect(await render(await opened.load('greet'), { name: 'Ann' })).toBe('Dear Ann,\nBye')
  await expect(render(await opened.load('greet'), {})).rejects.toThrow('"name" is missing')
})
