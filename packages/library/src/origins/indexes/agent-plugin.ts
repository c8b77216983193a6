import type { Diagnostic } from '@repertoire/core'
import { refused } from '../failure.ts'
import type { JsonObject } from './json-file.ts'

/** What a plugin.json of Agent Plugins 1.0 calls itself. */
export const PLUGIN_SCHEMA = 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json'

/** The names that a plugin may have. */
export const PLUGIN_NAME = /^(?=.{1,64}$)(?!.*(?:--|\.\.))[a-z\d](?:[a-z\d.-]*[a-z\d])?$/

/** The type of each field that is present. */
const FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  $schema: isText,
  name: (value) => isText(value) && PLUGIN_NAME.test(value),
  version: isText,
  description: isText,
  author: (value) =>
    isObject(value) && Object.entries(value).every(([key, each]) => /^(?:name|email|url)$/.test(key) && isText(each)),
  homepage: isText,
  repository: isText,
  license: isText,
  keywords: (value) => Array.isArray(value) && value.every(isText),
  // One that is not an object is reported and left out, as the specification has it.
  extensions: () => true,
}

/** Whether a plugin.json says that it is one of Agent Plugins, whatever its version: other clients have a file of that name too. */
export function isAgentPlugin({ $schema }: JsonObject): boolean {
  return isText($schema) && $schema.startsWith('https://agent-plugins.org/')
}

/**
 * Checks a plugin.json of Agent Plugins 1.0. Nothing in it leads to skills, which are in `skills/`.
 * @returns what is reported and not acted on
 * @throws {SkillError} ORIGIN_REFUSED: another version, a field that is missing or not what it must be
 */
export function checkAgentPlugin(source: string, path: string, manifest: JsonObject): readonly Diagnostic[] {
  if (manifest['$schema'] !== PLUGIN_SCHEMA) {
    const version = JSON.stringify(manifest['$schema']).slice(0, 200)
    throw refused(source, `${path} is of the version ${version}, and ${PLUGIN_SCHEMA} is what is known here.`, path)
  }
  if (manifest['name'] === undefined) throw refused(source, `${path} has no name.`, path)
  for (const [field, isRight] of Object.entries(FIELDS)) {
    const value = manifest[field]
    if (value !== undefined && !isRight(value)) {
      throw refused(source, `the field "${field}" of ${path} is not what Agent Plugins 1.0 says.`, path)
    }
  }
  const { extensions } = manifest
  const odd = Object.keys(manifest).filter((field) => !Object.hasOwn(FIELDS, field))
  if (extensions !== undefined && !isObject(extensions)) odd.push('extensions')
  return odd.map((field) => ({
    code: 'FIELD_UNKNOWN',
    severity: 'warning',
    path,
    message: `The field ${JSON.stringify(field.slice(0, 100))} of a plugin is not one of Agent Plugins 1.0, and is left out.`,
  }))
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
