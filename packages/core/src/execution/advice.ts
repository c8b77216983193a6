import { type Diagnostic, isObject, quoteName, type Schema, type SkillDocument } from '@repertoire/skill-md/internal'
import { planOf } from './composite/plan.ts'
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
  if (manifest === undefined || definition === undefined || definition.type === 'instruction') return []
  const { parameters } = manifest
  const found: string[] = []
  const unusable = parameters && (await schemaProblem(parameters))
  if (unusable !== undefined) found.push(`The parameters ${unusable}.`)
  if (definition.type === 'template') {
    const problem = await templateProblem(definition.template)
    const unknown = problem === undefined ? await unknownVariable(definition.template, parameters) : undefined
    if (unknown !== undefined) {
      found.push(`The template uses the variable ${quoteName(unknown)}, which is not a parameter.`)
    }
    if (problem !== undefined) {
      found.push(`${problem.line === undefined ? '' : `Line ${problem.line} of the template: `}${problem.problem}`)
    }
  } else if (definition.type === 'composite') {
    const planned = planOf(definition.steps, parameters, {})
    if ('problem' in planned) found.push(planned.problem)
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

/** Returns a variable of a template that no call can give it; undefined where there is none. */
async function unknownVariable(template: string, parameters: Schema | undefined): Promise<string | undefined> {
  const { properties, additionalProperties = false } = parameters ?? { additionalProperties: true }
  if (additionalProperties !== false) return undefined
  const known = isObject(properties) ? properties : {}
  return (await templateVariables(template)).find((name) => !Object.hasOwn(known, name))
}
