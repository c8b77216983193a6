import type { PublishedSkill } from '../measures/published-skills.ts'

/** What a model is given before a conversation begins. */
export interface Shown {
  readonly prompt: unknown
  readonly tools: unknown
}

/**
 * Makes an agent as the documentation of a peer says, and returns what its model is shown.
 * @param skills the agent's skills, or none
 * @param folder a folder that holds them
 */
export type Show = (skills: readonly PublishedSkill[], folder: string) => Shown | Promise<Shown>
