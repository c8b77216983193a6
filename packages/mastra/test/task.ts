import { type ModelEndpoint, openModelEndpoint, type Play } from '@repertoire/conformance'
import { memorySource, openRepertoire, type Repertoire } from '@repertoire/core'
import { afterAll, beforeAll } from 'vitest'
import { CAREFUL } from './agent.ts'

export { activate, call, lastResult as resultOf } from '@repertoire/conformance'
export { CAREFUL, configOf } from './agent.ts'

/** A model endpoint for the tests of a file. */
export function useEndpoint(): () => ModelEndpoint {
  let endpoint: ModelEndpoint
  beforeAll(async () => {
    endpoint = await openModelEndpoint()
  })
  afterAll(() => endpoint.close())
  return () => endpoint
}

export function openSkills(): Promise<Repertoire> {
  const skills = { careful: { 'SKILL.md': CAREFUL }, free: { 'SKILL.md': FREE } }
  return openRepertoire({ sources: [memorySource({ layer: 'project', skills })] })
}

/** A skill that restricts nothing. */
const FREE = '---\nname: free\ndescription: Is free.\n---\nDO AS YOU LIKE.\n'

/** The texts of the messages of a request, by their roles. */
export function said({ requests }: Play, at: number): readonly string[] {
  return requests.at(at)!.messages.map(({ role, text }) => `${role}: ${text}`)
}
