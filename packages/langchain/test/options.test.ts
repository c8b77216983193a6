import { memorySource, openRepertoire } from '@repertoire/core'
import { expect, it } from 'vitest'
import { skillsMiddleware, type SkillsSession } from '../src/index.ts'

const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills: {} })] })

it.each([
  [{ consnt: () => true }, 'skillsMiddleware: unknown option `consnt`. Did you mean `consent`?'],
  [{ policy: { dney: [] } }, 'Did you mean `policy.deny`?'],
  [{ saved: {} }, 'unknown option `saved`'],
  [[], 'skillsMiddleware: the options are a list.'],
])('[CFG-1, ABUSE-133] skillsMiddleware refuses the session options %j at once', (session, message) => {
  expect(() => skillsMiddleware(repertoire, session as SkillsSession)).toThrow(TypeError)
  expect(() => skillsMiddleware(repertoire, session as SkillsSession)).toThrow(message)
})

it('[CFG-1] skillsMiddleware refuses tools in the place of options, in types and at run time', () => {
  const tools = [{ name: 'read' }]
  // @ts-expect-error a list of tools
  expect(() => skillsMiddleware(repertoire, tools)).toThrow('For example: skillsMiddleware(repertoire, { consent })')
  // @ts-expect-error a list of tools
  expect(() => skillsMiddleware(repertoire, {}, tools)).toThrow('skillsMiddleware: the options are a list.')
})

it.each([
  [{ nme: 'x' }, 'Did you mean `name`?'],
  [{ agents: { writer: { systemPromt: 'x' } } }, 'Did you mean `agents.writer.systemPrompt`?'],
  [{ resolveModel: 'x' }, '`resolveModel` is "x". Give a function.'],
])('[CFG-1, ABUSE-133] skillsMiddleware refuses its own options %j', (options, message) => {
  expect(() => skillsMiddleware(repertoire, {}, options as object)).toThrow(message)
})

it.each([[undefined], [{}], [repertoire.openSession()]])(
  '[CFG-1] skillsMiddleware says that it needs a repertoire',
  (wrong) => {
    expect(() => skillsMiddleware(wrong as never)).toThrow(
      /^skillsMiddleware: `repertoire` .*`await openRepertoire\(\)`/,
    )
  },
)
