import { createSkillExecutor, type LoadedSkill } from '@repertoire/core'

/** The text of a template skill, for a program of your own. */
export async function render({ skill, manifest, definition }: LoadedSkill, input: unknown): Promise<string> {
  if (definition === undefined) throw new TypeError('The skill defines nothing.')
  const outcome = await createSkillExecutor().execute({
    name: skill.name,
    definition,
    parameters: manifest.parameters,
    input,
  })
  if (!outcome.ok) throw new Error(outcome.reason)
  return outcome.value.type === 'template' ? outcome.value.text : ''
}
