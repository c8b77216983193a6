import {
  argumentHintField,
  disableModelInvocationField,
  disallowedToolsField,
  userInvocableField,
  whenToUseField,
} from './client-fields.ts'
import {
  agentField,
  contextField,
  createdByField,
  hooksField,
  modelField,
  priorityField,
  scopeField,
  sourceField,
  statusField,
  tagsField,
  toolsetsField,
  typeField,
} from './extension-fields.ts'
import type { Field } from './field.ts'
import { parametersField } from './parameters.ts'
import {
  allowedToolsField,
  compatibilityField,
  descriptionField,
  licenseField,
  metadataField,
  nameField,
} from './standard-fields.ts'
import { triggersField } from './triggers.ts'

/** Every known field: those of the specification in its order, then our extensions, then those of other clients. */
export const FIELDS: ReadonlyMap<string, Field> = new Map<string, Field>([
  ['name', nameField],
  ['description', descriptionField],
  ['license', licenseField],
  ['compatibility', compatibilityField],
  ['metadata', metadataField],
  ['allowed-tools', allowedToolsField],
  ['type', typeField],
  ['status', statusField],
  ['parameters', parametersField],
  ['source', sourceField],
  ['created-by', createdByField],
  ['model', modelField],
  ['context', contextField],
  ['agent', agentField],
  ['hooks', hooksField],
  ['priority', priorityField],
  ['tags', tagsField],
  ['scope', scopeField],
  ['toolsets', toolsetsField],
  ['triggers', triggersField],
  ['argument-hint', argumentHintField],
  ['when_to_use', whenToUseField],
  ['disable-model-invocation', disableModelInvocationField],
  ['user-invocable', userInvocableField],
  ['disallowed-tools', disallowedToolsField],
])

let byLetters: ReadonlyMap<string, string> | undefined

/** Returns the known field that a key misspells, such as `allowed_tools`, `allowedTools`, `Name`. */
export function findMisspelled(key: string): string | undefined {
  if (FIELDS.has(key)) return undefined
  byLetters ??= new Map([...FIELDS.keys()].map((name) => [letters(name), name]))
  return byLetters.get(LETTERS.test(key) ? key : letters(key))
}

const LETTERS = /^[a-z]*$/

function letters(key: string): string {
  return key.toLowerCase().replaceAll(/[^a-z]/g, '')
}
