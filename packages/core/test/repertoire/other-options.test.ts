import { expect, it } from 'vitest'
import { foreign } from '@repertoire/test-servers/properties'
import { createSkillExecutor, getSkillItems, memorySessions, memorySource, openRepertoire } from '../../src/index.ts'
import { readResource } from '../../src/authoring.ts'
import { openAdapterSession } from '../../src/adapter.ts'
import { openConfigured } from '../../src/node/index.ts'

const lease = { session: 's', token: 1 }
const request = { name: 'a', definition: { type: 'instruction', content: 'Do it.' } }

const CALLS: readonly (readonly [name: string, run: () => unknown, message: string])[] = [
  ['acquire', () => memorySessions().acquire('s', foreign({ durtion: 1 })), 'Did you mean `duration`?'],
  ['renew', () => memorySessions().renew(lease, foreign({ duration: '1' })), '`duration` is "1".'],
  [
    'save',
    () => memorySessions().save(lease, {}, foreign({ ifVersion: 0, timeToLve: 1 })),
    'Did you mean `timeToLive`?',
  ],
  ['execute', () => createSkillExecutor().execute(foreign({ ...request, inputs: {} })), 'Did you mean `input`?'],
  ['check', () => createSkillExecutor().check(foreign({ ...request, file: [] })), 'Did you mean `files`?'],
]

it.each(CALLS)('[CFG-1, ABUSE-133] %s names what is wrong with its options', async (name, run, message) => {
  const call = async (): Promise<unknown> => run()
  await expect(call()).rejects.toThrow(TypeError)
  await expect(call()).rejects.toThrow(`${name}: `)
  await expect(call()).rejects.toThrow(message)
})

const METHODS = ['call', 'preview', 'deniedText'] as const

it.each(METHODS.flatMap((method) => [{}, { tool: 5 }, undefined, 'Read'].map((given) => [method, given] as const)))(
  '[CFG-1] session.%s says that a call without a tool is incomplete: %j',
  async (method, given) => {
    const session = openAdapterSession(
      await openRepertoire({ sources: [memorySource({ layer: 'project', skills: {} })] }),
    )
    const run = async (): Promise<unknown> =>
      method === 'call' ? session.call(foreign(given), () => 'ran') : session[method](foreign(given))
    await expect(run()).rejects.toThrow(`${method}: \`tool\` is `)
  },
)

const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills: {} })] })

const ARGUMENTS: readonly (readonly [name: string, call: (given: never) => unknown, message: string])[] = [
  ['load', (name) => repertoire.load(name), 'The name of a skill is'],
  ['explain', (name) => repertoire.explain(name), 'explain: `name` is'],
  ['catalog.get', (name) => repertoire.catalog.get(name), 'The name of a skill is'],
  ['runTask', (task) => repertoire.runTask({}, task), 'runTask: `task` is'],
  ['getSkillItems', (provider) => getSkillItems(provider), 'getSkillItems: `provider` is'],
  ['readResource', (folder) => readResource(folder, 'a.md'), 'readResource: `folder` is'],
  ['openConfigured', (from) => openConfigured(from), 'openConfigured: `from` is'],
]

it.each(ARGUMENTS)('[CFG-1] %s says which argument is wrong', async (_, call, message) => {
  for (const given of [null, 5, Symbol('given')]) {
    const run = async (): Promise<unknown> => call(given as never)
    await expect(run()).rejects.toThrow(TypeError)
    await expect(run()).rejects.toThrow(message)
  }
})
