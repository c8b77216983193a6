import { type ModelEndpoint, openModelEndpoint, type Play } from '@repertoire/conformance'
import { memorySessions, memorySource, openRepertoire, type Repertoire } from '@repertoire/core'
import { Mastra } from '@mastra/core/mastra'
import { InMemoryStore } from '@mastra/core/storage'
import { afterAll, beforeAll } from 'vitest'
import { skillsAgent } from '../src/index.ts'
import { CAREFUL, configOf } from './agent.ts'

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

/** An agent of a `Mastra` with storage, where approval is asked. */
export async function registered(play: Play, more: object = {}) {
  const { runs, config } = configOf(play)
  const options = { repertoire: await openSkills(), sessions: memorySessions() }
  const agent = skillsAgent({ ...config, ...more }, options)
  void new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false })
  return { runs, agent }
}

/** A skill that restricts nothing. */
const FREE = '---\nname: free\ndescription: Is free.\n---\nDO AS YOU LIKE.\n'

/** The texts of the messages of a request, by their roles. */
export function said({ requests }: Play, at: number): readonly string[] {
  return requests.at(at)!.messages.map(({ role, text }) => `${role}: ${text}`)
}
