import { inputSchemaOf } from '../disclosure/parameters.ts'
import type { Skill } from '@repertoire/skill-md/internal'
import type { ToolDefinition } from '@repertoire/gate/internal'

/**
 * What a model is told of a tool: its name, its description, and its parameters if it has some. What stands around them is
 * each provider's own, and not known here.
 */
export function toolText({ name, description, inputSchema }: ToolDefinition): string {
  const hasParameters = Object.keys((inputSchema['properties'] as object | undefined) ?? {}).length > 0
  return [name, description, ...(hasParameters ? [JSON.stringify(inputSchema)] : [])].join('\n')
}

/** See `inputsOf`. */
export type Inputs = ReadonlyMap<string, ToolDefinition['inputSchema']>

export const NO_INPUTS: Inputs = new Map()

/** What the tools of single skills take, by the names of those that are executed. */
export function inputsOf(skills: readonly Skill[]): Inputs {
  return new Map(
    skills.flatMap(({ name, manifest }) => {
      const input = inputSchemaOf(manifest)
      return input === undefined ? [] : [[name, input] as const]
    }),
  )
}
