import { memorySource, openRepertoire } from '@repertoire/core'
import { tool, type ToolSet } from 'ai'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { approvalResponses, consentRequests, type PendingConsent, skillsAgent, withSkills } from '../src/index.ts'

const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills: {} })] })
const read = tool({ inputSchema: z.object({ path: z.string() }), execute: async () => 'read' })

it('[CFG-1] withSkills refuses tools in the place of { tools }, in types and at run time', () => {
  const session = repertoire.openSession()
  const tools: ToolSet = { read }
  const named = { read }
  const expected = 'withSkills: unknown option `read`'
  // @ts-expect-error a set of tools
  expect(() => withSkills(session, tools)).toThrow(expected)
  // @ts-expect-error a set of named tools
  expect(() => withSkills(session, { read })).toThrow('For example: withSkills(session, { tools }).')
  // @ts-expect-error a set of named tools in a variable
  expect(() => withSkills(session, named)).toThrow(expected)
  // @ts-expect-error one tool in the place of tools
  expect(() => withSkills(session, { tools: read })).toThrow('Give a tool, as in { tools: { read: tool({ … }) } }')
  // @ts-expect-error a list of tools
  expect(() => withSkills(session, { tools: [read] })).toThrow("Give an object with the host's tools by name")
  expect(Object.keys(withSkills(session, { tools }).tools)).toContain('read')
  expect(withSkills(session).tools).toEqual({})
})

it('[CFG-1, GATE-9] openRepertoire and openSession refuse a toolset as `toolMap`, in types and at run time', async () => {
  const toolMap: ToolSet = { read }
  const message = '`toolMap.read'
  // @ts-expect-error a set of tools
  await expect(openRepertoire({ sources: [], toolMap })).rejects.toThrow(message)
  // @ts-expect-error a set of tools
  expect(() => repertoire.openSession({ toolMap })).toThrow(message)
})

it('[CFG-1] skillsAgent refuses tools in the place of options, and one tool in the place of tools', () => {
  const model = 'vendor/model'
  // @ts-expect-error a set of named tools
  expect(() => skillsAgent({ read })).toThrow('For example: skillsAgent({ model, tools, repertoire }).')
  // @ts-expect-error one tool in the place of tools
  expect(() => skillsAgent({ model, repertoire, tools: read })).toThrow('Give a tool, as in { tools:')
  // @ts-expect-error consent outside the session
  expect(() => skillsAgent({ model, repertoire, consent: () => true })).toThrow('Did you mean `session.consent`?')
})

it.each([
  [{ instrutions: 'x' }, 'withSkills: unknown option `instrutions`. Did you mean `instructions`?'],
  [{ tools: 'read' }, 'withSkills: `tools` is "read".'],
  [{ prepareStep: {} }, 'withSkills: `prepareStep` is an object. Give a function.'],
  [{ subagents: { writer: { maxStep: 1 } } }, 'Did you mean `subagents.writer.maxSteps`?'],
  [
    { subagents: { default: { maxSteps: 0 } } },
    '`subagents.default.maxSteps` is 0. Give a whole number of model calls, 1 or more.',
  ],
  [{ abortSignal: true }, '`abortSignal` is true. Give an AbortSignal.'],
])('[CFG-1, ABUSE-133] withSkills refuses %j', (options, message) => {
  expect(() => withSkills(repertoire.openSession(), options as object)).toThrow(TypeError)
  expect(() => withSkills(repertoire.openSession(), options as object)).toThrow(message)
})

it.each([[repertoire], [undefined], [{}]])('[CFG-1] withSkills says that it needs a session', (wrong) => {
  expect(() => withSkills(wrong as never, {})).toThrow(/^withSkills: `session` .*`repertoire\.openSession\(\)`/)
})

it.each([
  [repertoire, [], 'consentRequests: `session` has no `step`.'],
  [repertoire.openSession(), { messages: [] }, 'consentRequests: `messages` is an object. Give a list'],
  [repertoire.openSession(), [{ role: 'user', parts: [] }], '`messages[0]` is an object. Give a model message'],
  [repertoire.openSession(), undefined, 'consentRequests: `messages` is missing.'],
])('[CFG-1, ASK-5] consentRequests refuses wrong arguments', async (session, messages, text) => {
  const asked = consentRequests(session as never, messages as never)
  await expect(asked).rejects.toThrow(TypeError)
  await expect(asked).rejects.toThrow(text)
})

const pending = [{ approvalId: 'a', request: { id: 'one' } }] as unknown as readonly PendingConsent[]
const yes = { requestId: 'one', approved: true }

it.each([
  [
    Promise.resolve(pending),
    [yes],
    '`pending` is an object. Give a list; each item is a pending request, as from `await',
  ],
  [pending, yes, '`answers` is an object. Give a list'],
  [pending, [null], '`answers[0]` is null. Give an answer { requestId, approved }'],
  [pending, [{ requestId: 'one', approved: 'yes' }], '`answers[0]` is an object.'],
  [pending, [{ ...yes, approved: false }, yes], 'the request "one" has two answers. Give one for each request.'],
  [pending, [yes, { requestId: 'one', approved: false }], 'the request "one" has two answers.'],
])(
  '[CFG-1, ASK-8] approvalResponses refuses wrong arguments and two answers to one request',
  (asked, answers, text) => {
    expect(() => approvalResponses(asked as never, answers as never)).toThrow(TypeError)
    expect(() => approvalResponses(asked as never, answers as never)).toThrow(`approvalResponses: ${text}`)
  },
)
