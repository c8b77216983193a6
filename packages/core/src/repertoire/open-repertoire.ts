import type { ExecutionRequest, SkillExecutor, SkillExecutorOptions } from '../execution/execute.ts'
import {
  type OptionTable,
  anything,
  checkOptions,
  foreign,
  isObject,
  readOptions,
  required,
  signal,
  text,
} from '@repertoire/skill-md/internal'
import { EXECUTOR_OPTIONS, REPERTOIRE_OPTIONS } from './option-tables.ts'
import type { Repertoire, RepertoireOptions } from './options.ts'

/** What a definition and its parameters hold is judged for the model, which may have written them. */
const REQUEST_OPTIONS: OptionTable<Omit<ExecutionRequest, 'definition'> & { readonly definition?: unknown }> = {
  name: required(text),
  definition: anything,
  parameters: foreign('a JSON Schema', isObject),
  input: anything,
  files: foreign('a list of files { path, bytes, executable }', Array.isArray),
  signal,
}

/**
 * Creates what executes skills by their type, for programs of a host's own: a session executes those that are called in
 * it. Nothing here asks for consent, and no rules are judged. It runs nothing itself.
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export function createSkillExecutor(options: SkillExecutorOptions = {}): SkillExecutor {
  checkOptions('createSkillExecutor', EXECUTOR_OPTIONS, options)
  // Imported on first use, so that the entry stays small.
  const open = async (): Promise<SkillExecutor> => (await import('../execution/execute.ts')).openExecutor(options)
  return {
    async check(request) {
      checkOptions('check', REQUEST_OPTIONS, request)
      return (await open()).check(request)
    },
    async execute(request) {
      checkOptions('execute', REQUEST_OPTIONS, request)
      return (await open()).execute(request)
    },
  }
}

/**
 * Finds the skills of all sources. Broken skills are in `catalog.diagnostics`, and sessions report them as
 * `SKILL_NOT_LOADED`.
 * @throws {TypeError} an option, at any depth, has an unknown name or a value of the wrong kind; a rule cannot be read;
 * options contradict each other
 */
export async function openRepertoire(options: RepertoireOptions): Promise<Repertoire> {
  const given = readOptions('openRepertoire', REPERTOIRE_OPTIONS, options)
  // Imported on first use, so that the entry stays small: most of core is behind this function.
  const { createRepertoire } = await import('./create-repertoire.ts')
  return createRepertoire(given)
}
