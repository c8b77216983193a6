import { memorySource, openRepertoire } from '@repertoire/core'
import { expect, it } from 'vitest'
import {
  activeSkills,
  consentRequests,
  endSkills,
  type PendingConsent,
  resumeWith,
  skillsMiddleware,
} from '../src/index.ts'

const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills: {} })] })

it.each([
  [{ consnt: () => true }, 'skillsMiddleware: unknown option `consnt`. Did you mean `consent`?'],
  [{ policy: { dney: [] } }, 'Did you mean `policy.deny`?'],
  [{ saved: {} }, 'unknown option `saved`'],
  [[], 'skillsMiddleware: the options are a list.'],
  [{ nme: 'x' }, 'Did you mean `name`?'],
  [{ subagents: { writer: { systemPromt: 'x' } } }, 'Did you mean `subagents.writer.systemPrompt`?'],
  [{ resolveModel: 'x' }, '`resolveModel` is "x". Give a function.'],
])('[CFG-1, ABUSE-133] skillsMiddleware and endSkills refuse the options %j at once', async (options, message) => {
  expect(() => skillsMiddleware(repertoire, options as object)).toThrow(TypeError)
  expect(() => skillsMiddleware(repertoire, options as object)).toThrow(message)
  const ended = endSkills(repertoire, agent as never, thread, options as object)
  await expect(ended).rejects.toThrow(message.replace('skillsMiddleware', 'endSkills'))
})

it('[CFG-1] skillsMiddleware refuses tools in the place of options, in types and at run time', () => {
  const tools = [{ name: 'read' }]
  // @ts-expect-error a list of tools
  expect(() => skillsMiddleware(repertoire, tools)).toThrow('For example: skillsMiddleware(repertoire, { consent })')
})

it.each([[undefined], [{}], [repertoire.openSession()]])(
  '[CFG-1] skillsMiddleware says that it needs a repertoire',
  (wrong) => {
    expect(() => skillsMiddleware(wrong as never)).toThrow(/^skillsMiddleware: `repertoire` .*`await openSkills\('/)
  },
)

const agent = { graph: { getState: () => undefined, updateState: () => undefined } }
const thread = { configurable: { thread_id: 'one' } }

it.each<[string, (agent: never, config: never) => Promise<unknown>]>([
  ['activeSkills', activeSkills],
  ['consentRequests', consentRequests],
  ['endSkills', (...given) => endSkills(repertoire, ...given)],
])('[CFG-1, ASK-5] %s refuses what is no agent, and a configuration that names no thread', async (name, call) => {
  for (const wrong of [undefined, null, {}, 'agent', Promise.resolve(agent), { graph: {} }]) {
    await expect(call(wrong as never, thread as never)).rejects.toThrow(TypeError)
    await expect(call(wrong as never, thread as never)).rejects.toThrow(`${name}: \`agent\` is `)
  }
  const configurations = [undefined, {}, { thread_id: 'one' }, { configurable: { threadId: 'one' } }, 'one', null]
  for (const wrong of [...configurations, { configurable: { thread_id: '' } }]) {
    await expect(call(agent as never, wrong as never)).rejects.toThrow(TypeError)
    await expect(call(agent as never, wrong as never)).rejects.toThrow(`${name}: \`config\` is `)
  }
})

const pending = [{ interruptId: 'a', request: { id: 'one' } }] as unknown as readonly PendingConsent[]
const yes = { requestId: 'one', approved: true }

it.each([
  [Promise.resolve(pending), [yes], '`pending` is '],
  [pending, [yes, { ...yes, requestId: 'two' }], 'no pending request has the id "two"'],
  [pending, undefined, '`answers` is missing.'],
  [pending, [true], '`answers[0]` is true. Give an answer { requestId, approved }'],
  [pending, [{ requestId: 'one' }], '`answers[0]` is an object.'],
  [pending, [{ ...yes, approved: false }, yes], 'the request "one" has two answers. Give one for each request.'],
  [pending, [yes, yes], 'the request "one" has two answers.'],
])('[CFG-1, ASK-8] resumeWith refuses wrong arguments and two answers to one request', (asked, answers, text) => {
  expect(() => resumeWith(asked as never, answers as never)).toThrow(TypeError)
  expect(() => resumeWith(asked as never, answers as never)).toThrow(`resumeWith: ${text}`)
})
