import { type Diagnostic, quoteName, type Schema, type SkillDocument } from '@repertoire/skill-md/internal'
import { PLAN_WITH_PARAMETERS, planOf } from './composite/plan.ts'
import { findDanger } from './dangerous.ts'
import { inlineInterpreter, inlineScript } from './inline-script.ts'
import { schemaProblem } from './parameters/validate.ts'
import { templateProblem, templateVariables } from './template/render.ts'

/**
 * Tells the author of a skill what keeps it from ever being executed: a broken template, a plan that uses parameters
 * the skill does not have, a dangerous pattern, parameters that cannot be compared with a value.
 */
export async function adviseOnDefinition(
  { manifest, definition }: Pick<SkillDocument, 'manifest' | 'definition'>,
  path: string,
): Promise<readonly Diagnostic[]> {
  if (definition === undefined || definition.type === 'instruction') return []
  const { parameters } = manifest!
  const found: string[] = []
  const unusable = parameters && (await schemaProblem(parameters))
  if (unusable !== undefined) found.push(`The parameters ${unusable}.`)
  if (definition.type === 'template') {
    const problem = await templateProblem(definition.template)
    if (problem === undefined) {
      const unknown = await unknownVariables(definition.template, parameters)
      found.push(
        ...unknown.map((name) => `The template uses the variable ${quoteName(name)}, which is not a parameter.`),
      )
    } else found.push(`${problem.line === undefined ? '' : `Line ${problem.line} of the template: `}${problem.problem}`)
  } else if (definition.type === 'composite') {
    const planned = planOf(definition.steps)
    if ('problem' in planned) found.push(planned.problem)
    if (parameters !== undefined) found.push(PLAN_WITH_PARAMETERS)
  } else {
    const inline = inlineScript(definition.script, definition.language, NOTHING_GIVEN)
    if ('problem' in inline) found.push(inline.problem)
    const danger = await findDanger(definition.script, inlineInterpreter(definition.script, definition.language))
    if (danger !== undefined)
      found.push(`Line ${danger.line} of the script holds a dangerous pattern (${danger.pattern}).`)
  }
  return found.map((message) => ({
    code: 'DEFINITION_INVALID',
    severity: 'error',
    path,
    message,
    hint: 'Correct it: as it is, every call of the skill is refused.',
  }))
}

const NOTHING_GIVEN = { values: {}, hasSchema: false, files: [] }

/** Returns the variables of a template that no call can give it. */
async function unknownVariables(template: string, parameters: Schema | undefined): Promise<readonly string[]> {
  const { properties, additionalProperties = false } = parameters ?? { additionalProperties: true }
  if (additionalProperties !== false) return []
  const known = Object(properties) as object
  return (await templateVariables(template)).filter((name) => !Object.hasOwn(known, name))
}
