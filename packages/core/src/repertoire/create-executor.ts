import type { ExecutionRequest, Executor, ExecutorOptions } from '../execution/execute.ts'
import {
  anything,
  anyText,
  foreign,
  required,
  signal,
  text,
  checkOptions,
  isObject,
  type OptionTable,
} from '@repertoire/skill-md/internal'
import { EXECUTOR_OPTIONS } from './option-tables.ts'

/** What a definition and its parameters hold is judged for the model, which may have written them. */
const REQUEST_OPTIONS: OptionTable<Omit<ExecutionRequest, 'definition'> & { readonly definition?: unknown }> = {
  name: required(text),
  definition: anything,
  parameters: foreign('a JSON Schema', isObject),
  input: anything,
  args: anyText,
  files: foreign('a list of files { path, bytes, executable }', Array.isArray),
  signal,
}

/**
 * Creates what executes skills by their type, for programs of a host's own: a session executes those that are called in
 * it. Nothing here asks for consent, and no rules are judged. It runs nothing itself.
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export function createExecutor(options: ExecutorOptions = {}): Executor {
  checkOptions('createExecutor', EXECUTOR_OPTIONS, options)
  // Imported on first use, so that the entry stays small.
  const open = async (): Promise<Executor> => (await import('../execution/execute.ts')).openExecutor(options)
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
