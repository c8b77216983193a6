import type { Play, ScriptStep } from '@repertoire/conformance'
import { type AgentMiddleware, createAgent, tool } from 'langchain'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { skillsMiddleware } from '../src/index.ts'
import type { useEndpoint } from './endpoint.ts'
import { hostTools, modelOf, openSkills, type Run, thread } from './setup.ts'

export const one = thread('one')
export const none = z.object({})
export const calls = (...names: readonly string[]): ScriptStep => ({
  calls: names.map((name) => ({ tool: name, input: {} })),
})

interface World {
  readonly play: Play
  readonly runs: Run[]
  /** Makes an agent whose first middleware are these, then that of the skills, then the others. */
  readonly make: (
    more?: object,
    before?: readonly unknown[],
    after?: readonly unknown[],
  ) => ReturnType<typeof createAgent>
}

/** What a feature leaves, which is the same with skills and without. */
export type Feature = readonly [
  name: string,
  script: () => readonly ScriptStep[],
  run: (world: World) => Promise<unknown>,
]

export type Answered = readonly { readonly type: string; readonly text: string }[]

export const texts = ({ messages }: { readonly messages: Answered }) =>
  messages.map(({ type, text }) => `${type}: ${text}`)

export const noop = tool(() => 'Noted.', { name: 'Note', description: 'Notes.', schema: none })
export const failing = (times: number) => {
  let left = times
  return tool(
    () => {
      if (left-- > 0) throw new Error('Broken.')
      return 'Mended.'
    },
    { name: 'Fragile', description: 'Fails.', schema: none },
  )
}
export const answer = {
  title: 'answer',
  type: 'object',
  properties: { mark: { type: 'number' } },
  required: ['mark'],
  additionalProperties: false,
} as never
/** Declares a test for each feature: what it leaves is the same with skills and without. */
export function testFeatures(endpoint: ReturnType<typeof useEndpoint>, features: readonly Feature[]): void {
  test.each(features)('[ADPT-10] %s works as without skills', async (_, script, run) => {
    const outcomes: unknown[] = []
    for (const skills of [[], [skillsMiddleware(await openSkills(), { consent: () => true })]]) {
      const play = endpoint.play(script())
      const runs: Run[] = []
      outcomes.push(
        await run({
          play,
          runs,
          make: (more = {}, before = [], after = []) =>
            createAgent({
              model: modelOf(play),
              tools: hostTools(runs),
              ...more,
              middleware: [...before, ...skills, ...after] as AgentMiddleware[],
            } as never) as never,
        }),
      )
    }
    expect(JSON.parse(JSON.stringify(outcomes[1] ?? null))).toEqual(JSON.parse(JSON.stringify(outcomes[0] ?? null)))
    expect(outcomes[0]).toBeTruthy()
  })
}
