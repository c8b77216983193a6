import { type ModelEndpoint, openModelEndpoint } from '@repertoire/conformance'
import {
  memorySource,
  openRepertoire,
  type Repertoire,
  type RepertoireOptions,
  type SessionStore,
  withStoredSession,
} from '@repertoire/core'
import { afterAll, beforeAll } from 'vitest'

export { activate, call, lastResult as resultOf } from '@repertoire/conformance'

/** A skill that allows little. */
export const CAREFUL = skill('careful', 'allowed-tools: Read Bash(git:*) Review', 'LOOK FIRST.')
/** A skill that restricts nothing. */
const FREE = skill('free', '', 'DO AS YOU LIKE.')

export function skill(name: string, fields: string, body: string) {
  return { [name]: { 'SKILL.md': `---\nname: ${name}\ndescription: Is ${name}.\n${fields}\n---\n${body}\n` } }
}

/** A model endpoint for the tests of a file. */
export function useEndpoint(): () => ModelEndpoint {
  let endpoint: ModelEndpoint
  beforeAll(async () => {
    endpoint = await openModelEndpoint()
  })
  afterAll(() => endpoint.close())
  return () => endpoint
}

export function openSkills(options: Partial<RepertoireOptions> = {}): Promise<Repertoire> {
  return openRepertoire({ sources: [memorySource({ layer: 'project', skills: { ...CAREFUL, ...FREE } })], ...options })
}

/** The active skills of the task `a`. */
export function activeIn(repertoire: Repertoire, store: SessionStore): Promise<readonly string[]> {
  return withStoredSession(repertoire, { store, id: 'a' }, async ({ activeSkills }) => activeSkills)
}

export { agentOf, notingTools, runnerOf } from './agent.ts'
