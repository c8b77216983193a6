import type { PreparedActivation } from '../activation/prepare.ts'
import type { ForkRequest } from '../session.ts'
import { quoteName } from '@repertoire/skill-md/internal'

/**
 * Makes the request for a sub-agent that runs a skill.
 * @param instructions the text of the activation
 */
export function forkRequest(
  { skill, args, inspected }: PreparedActivation,
  instructions: string,
  run: Pick<ForkRequest, 'session' | 'callId' | 'signal'>,
): ForkRequest {
  const { agent, model } = inspected.manifest
  const prompt = args ?? `Do what the skill ${quoteName(skill.name)} says.`
  return {
    skill: skill.name,
    ...(agent !== undefined && { agent }),
    ...(model !== undefined && { model }),
    instructions,
    prompt,
    message: `${instructions}\n\n${prompt}`,
    system: SYSTEM_PROMPT,
    ...run,
  }
}

const SYSTEM_PROMPT =
  'You are a sub-agent. Do the one task that you are given, by the skill that comes with it, with the tools that you ' +
  'have. Nobody reads along and nobody can be asked: decide for yourself, and end with the result alone, complete, ' +
  'since nothing else of this conversation is kept.'
