import {
  readAgent,
  readContext,
  readHooks,
  readModel,
  readPriority,
  readScope,
  readStatus,
  readTags,
  readType,
} from './extension-fields.ts'
import {
  readAllowedToolsField,
  readCompatibility,
  readDescription,
  readLicense,
  readMetadata,
  readNameField,
} from './standard-fields.ts'
import type { Field } from './field.ts'

/** Every field that is understood, in the order of the specification, then ours. A field is added here. */
export const FIELDS: ReadonlyMap<string, Field> = new Map<string, Field>([
  ['name', { origin: 'standard', rule: readNameField, machineRead: true }],
  ['description', { origin: 'standard', rule: readDescription }],
  ['license', { origin: 'standard', rule: readLicense, empty: {} }],
  ['compatibility', { origin: 'standard', rule: readCompatibility, empty: {} }],
  ['metadata', { origin: 'standard', rule: readMetadata, empty: {} }],
  // Present and empty is not absent: nothing is allowed.
  [
    'allowed-tools',
    {
      origin: 'standard',
      rule: readAllowedToolsField,
      empty: { allowedTools: [] },
      machineRead: true,
      restricts: true,
    },
  ],
  ['type', { origin: 'extension', rule: readType, empty: {}, machineRead: true }],
  ['status', { origin: 'extension', rule: readStatus, empty: {}, machineRead: true, restricts: true }],
  ['model', { origin: 'extension', rule: readModel, empty: {}, machineRead: true }],
  ['context', { origin: 'extension', rule: readContext, empty: {}, machineRead: true }],
  ['agent', { origin: 'extension', rule: readAgent, empty: {}, machineRead: true }],
  ['hooks', { origin: 'extension', rule: readHooks, empty: {}, machineRead: true }],
  ['priority', { origin: 'extension', rule: readPriority, empty: {}, machineRead: true }],
  ['tags', { origin: 'extension', rule: readTags, empty: {}, machineRead: true }],
  ['scope', { origin: 'extension', rule: readScope, empty: {}, machineRead: true, restricts: true }],
])

const BY_LETTERS: ReadonlyMap<string, string> = new Map([...FIELDS.keys()].map((key) => [letters(key), key]))

/** The known field that a key is another spelling of: `allowed_tools`, `allowedTools`, `Name`. */
export function findMisspelled(key: string): string | undefined {
  return FIELDS.has(key) ? undefined : BY_LETTERS.get(letters(key))
}

function letters(key: string): string {
  return key.toLowerCase().replaceAll(/[^a-z]/g, '')
}
