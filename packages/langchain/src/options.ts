import type { SessionOptions } from '@repertoire/core'
import { ADAPTER_SESSION_OPTIONS } from '@repertoire/core/adapter'
import { checkOptions, foreign, type OptionTable, repertoireKind, required, text } from '@repertoire/core/options'
import { FORK_OPTIONS, type ForkOptions } from './fork.ts'

/** How the sessions of an agent are opened. The middleware itself provides the saved state and the tools' names. */
export type SkillsSession = Omit<SessionOptions, 'saved'>

/** How the sessions of an agent are opened, and how its sub-agents run. */
export interface SkillsMiddlewareOptions extends SkillsSession, ForkOptions {
  /** The name of the middleware and, after a `_`, of its channel, if the default is in use. Default `repertoire`. */
  readonly name?: string | undefined
}

const { saved: _saved, hostTools: _hostTools, ...SKILLS_SESSION } = ADAPTER_SESSION_OPTIONS

/** The options that may differ between runs. A graph has its middleware and channels from the beginning. */
export type RunOptions = Omit<SkillsMiddlewareOptions, 'name'>

const RUN_OPTIONS: OptionTable<RunOptions> = { ...SKILLS_SESSION, ...FORK_OPTIONS }
const MIDDLEWARE_OPTIONS: OptionTable<SkillsMiddlewareOptions> = { name: text, ...RUN_OPTIONS }

const THREAD = {
  agent: required(
    foreign('an agent of `createAgent`, or a compiled graph', (agent) => {
      const { graph = agent } = (agent ?? {}) as { readonly graph?: unknown }
      return typeof Object(graph).getState === 'function'
    }),
  ),
  config: required(
    foreign('the thread, { configurable: { thread_id } }', (config) => {
      const { configurable } = (config ?? {}) as { readonly configurable?: { readonly thread_id?: unknown } }
      const id = configurable?.thread_id
      return (typeof id === 'string' && id !== '') || typeof id === 'number'
    }),
  ),
}

/** Checks what names a thread. @throws {TypeError} no agent, or no thread */
export function checkThread(name: string, agent: unknown, config: unknown): void {
  checkOptions(name, THREAD, { agent, config })
}

/** Checks what a function is given. @throws {TypeError} an option is unknown or has the wrong type */
export function checkMiddlewareOptions(name: string, repertoire: unknown, options: unknown): void {
  checkOptions(name, { repertoire: required(repertoireKind) }, { repertoire })
  if (typeof options === 'function') return
  checkOptions(name, MIDDLEWARE_OPTIONS, options, 'skillsMiddleware(repertoire, { consent })')
}

/** Checks what a function has returned for a run. @throws {TypeError} an option is unknown or has the wrong type */
export function checkRunOptions(options: unknown): void {
  // Nothing at all is a forgotten `return`, and would open the session to every tenant.
  checkOptions('skillsMiddleware', RUN_OPTIONS, options ?? null, '(runtime) => ({ tenant: runtime.context.tenant })')
}
