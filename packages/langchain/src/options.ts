import type { SessionOptions } from '@repertoire/core'
import { SESSION_OPTIONS } from '@repertoire/core/adapter'
import {
  checkOptions,
  foreign,
  type OptionTable,
  repertoireKind,
  required,
  tableOf,
  text,
} from '@repertoire/core/options'
import { FORK_OPTIONS, type ForkOptions } from './fork.ts'

/** How the sessions of an agent are opened. The middleware itself provides the saved state and the host's tool names. */
export type SkillsSession = Omit<SessionOptions, 'saved' | 'hostTools' | 'model'>

/** Options of the middleware itself and of its sub-agents. */
export interface SkillsMiddlewareOptions extends ForkOptions {
  /** The name of the middleware and, after a `_`, of its channel, if the default is in use. Default `repertoire`. */
  readonly name?: string | undefined
}

const { saved: _saved, hostTools: _hostTools, model: _model, ...SKILLS_SESSION } = SESSION_OPTIONS

const MIDDLEWARE_OPTIONS: OptionTable<SkillsMiddlewareOptions> = { name: text, ...FORK_OPTIONS }

const THREAD = {
  agent: required(
    foreign('an agent of `createAgent`', (agent) => {
      const { graph } = (agent ?? {}) as { readonly graph?: { readonly getState?: unknown } }
      return typeof graph?.getState === 'function'
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

const RESULT = {
  result: required(
    foreign('what `await agent.invoke(…)` has returned', (result) => {
      if (typeof result !== 'object' || result === null || Array.isArray(result)) return false
      return !('then' in result) && !('graph' in result)
    }),
  ),
}

/** Checks what a run has returned. @throws {TypeError} no result */
export function checkResult(name: string, result: unknown): void {
  checkOptions(name, RESULT, { result })
}

/** Checks what names a thread. @throws {TypeError} no agent, or no thread */
export function checkThread(name: string, agent: unknown, config: unknown): void {
  checkOptions(name, THREAD, { agent, config })
}

/** Checks the options of `activeSkills`. @throws {TypeError} an option is unknown or has the wrong type */
export function checkActiveOptions(options: unknown): void {
  checkOptions<Pick<SkillsMiddlewareOptions, 'name'>>('activeSkills', { name: text }, options)
}

/** Checks what `endSkills` is given. @throws {TypeError} an option is unknown or has the wrong type */
export function checkEndOptions(repertoire: unknown, options: unknown): void {
  checkOptions('endSkills', { repertoire: required(repertoireKind) }, { repertoire })
  checkOptions<Pick<SkillsMiddlewareOptions, 'name'> & { session?: SkillsSession }>(
    'endSkills',
    { name: text, session: tableOf<SkillsSession>(SKILLS_SESSION) },
    options,
  )
}

/** Checks what `skillsMiddleware` is given. @throws {TypeError} an option is unknown or has the wrong type */
export function checkMiddlewareOptions(repertoire: unknown, session: unknown, options: unknown): void {
  checkOptions('skillsMiddleware', { repertoire: required(repertoireKind) }, { repertoire })
  if (typeof session !== 'function') {
    checkOptions<SkillsSession>(
      'skillsMiddleware',
      SKILLS_SESSION,
      session,
      'skillsMiddleware(repertoire, { consent })',
    )
  }
  checkOptions('skillsMiddleware', MIDDLEWARE_OPTIONS, options)
}
