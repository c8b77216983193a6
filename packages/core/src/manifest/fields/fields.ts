import { distance } from 'fastest-levenshtein'
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
import type { YamlNode } from '../yaml/tree.ts'

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

/** A shorter name is too close to words that have nothing to do with it, such as `scopes` to `scope`. */
const MIN_TYPO_LETTERS = 10
const MAX_TYPOS = 2

/** Other words for a restriction of tools, by their letters. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ...['permittedtools', 'toolsallowed', 'onlytools'].map((key) => [key, 'allowed-tools'] as const),
  ...['deniedtools', 'denytools', 'forbiddentools', 'blockedtools', 'excludedtools', 'toolsdisallowed'].map(
    (key) => [key, 'disallowed-tools'] as const,
  ),
])

/**
 * Returns the field that a key almost spells, among those that restrict what a skill may do or who sees it: `allow-tools`,
 * `disalowed_tools`, `denied-tools`. A skill whose restriction is misspelled must not load as if it had none.
 */
export function findAlmostRestricting(key: string): string | undefined {
  if (FIELDS.has(key)) return undefined
  const typed = letters(key)
  const synonym = SYNONYMS.get(typed)
  if (synonym !== undefined || typed.length < MIN_TYPO_LETTERS - MAX_TYPOS) return synonym
  restricting ??= [...FIELDS]
    .filter(([, field]) => field.restricts === true)
    .map(([name]) => ({ name, letters: letters(name) }))
    .filter((field) => field.letters.length >= MIN_TYPO_LETTERS)
  return restricting.find(
    (field) =>
      Math.abs(field.letters.length - typed.length) <= MAX_TYPOS && distance(field.letters, typed) <= MAX_TYPOS,
  )?.name
}

/**
 * Returns the restricting field with a short name that a key almost spells, if its value shows that it is meant:
 * `stauts: disabled`, `scopes: { tenants: [a] }`. `scopes: [read]` and `state: active` are other fields.
 */
export function findMeantRestriction(key: string, value: YamlNode): string | undefined {
  if (FIELDS.has(key)) return undefined
  const typed = letters(key)
  const found = [...FIELDS].find(
    ([name, field]) =>
      field.isMeantBy !== undefined &&
      Math.abs(name.length - typed.length) <= MAX_TYPOS &&
      distance(name, typed) <= MAX_TYPOS &&
      field.isMeantBy(value),
  )
  return found?.[0]
}

let restricting: readonly { readonly name: string; readonly letters: string }[] | undefined

const LETTERS = /^[a-z]*$/

function letters(key: string): string {
  return key.toLowerCase().replaceAll(/[^a-z]/g, '')
}
