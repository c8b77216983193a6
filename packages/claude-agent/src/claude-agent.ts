import type { Options, Query, SDKMessage, SDKUserMessage } from '@anthropic-ai/claude-agent-sdk'
import type { SessionStore } from '@repertoire/core'
import { OWNER_OPTIONS, type OwnerOptions, withOwnedSession } from '@repertoire/core/adapter'
import { checkOptions, type OptionTable } from '@repertoire/core/options'
import { SKILLS_OPTIONS, type SkillsOptions } from './options.ts'
import { skillsQuery } from './skills-query.ts'

/** Options of `claudeAgent`: those here, and those of `skillsQuery`. */
export interface ClaudeAgentOptions extends SkillsOptions, OwnerOptions {
  /** Keeps the sessions between queries, under the ids of Claude Code's. The same store on every machine. */
  readonly sessions?: SessionStore | undefined
}

/** Starts queries that own their sessions. */
export interface ClaudeAgent {
  /**
   * Starts a query, and yields its messages. Its session is saved and closed when it has ended, also after an error or
   * an abort, or if the host stops reading.
   * @param options options of `query` for this one, such as `{ resume: sessionId }`
   */
  query(prompt: string | AsyncIterable<SDKUserMessage>, options?: Options): AsyncGenerator<SDKMessage, void>
}

export const AGENT_OPTIONS: OptionTable<ClaudeAgentOptions> = {
  ...SKILLS_OPTIONS,
  ...OWNER_OPTIONS,
}

/**
 * An agent whose queries use skills and own their sessions. With `sessions`, a query with `resume` continues the
 * session of that conversation: active skills stay active. Without, each query has its own session.
 * @throws {TypeError} an option has an unknown name or a value of the wrong kind
 */
export function claudeAgent(given: ClaudeAgentOptions): ClaudeAgent {
  checkOptions('claudeAgent', AGENT_OPTIONS, given, 'claudeAgent({ repertoire, options })')
  const { repertoire, sessions, session, ...skills } = given
  const owner = { name: 'claudeAgent', repertoire, sessions, session }
  return {
    async *query(prompt, call = {}) {
      const own = { ...skills.options, ...call }
      const abortController = own.abortController ?? new AbortController()
      const { resume, sessionId = crypto.randomUUID(), continue: goesOn = false } = own
      if (sessions !== undefined && goesOn)
        throw new TypeError(
          'claudeAgent: with `sessions`, name the conversation to continue: { resume: sessionId }. `listSessions({ dir, limit: 1 })` of the SDK finds the last one.',
        )
      const begun = Promise.withResolvers<Query>()
      const ended = Promise.withResolvers<void>()
      const id = sessions && (own.forkSession === true ? sessionId : (resume ?? sessionId))
      const done = withOwnedSession(owner, { id, signal: abortController.signal }, async (opened) => {
        opened.signal?.addEventListener('abort', () => abortController.abort(opened.signal?.reason), { once: true })
        const named = (resume === undefined && !goesOn) || own.forkSession === true ? { sessionId } : {}
        begun.resolve(
          skillsQuery(opened.session, prompt, { ...skills, options: { ...own, ...named, abortController } }),
        )
        await ended.promise
      })
      done.catch(begun.reject)
      try {
        yield* await begun.promise
      } finally {
        ended.resolve()
        await done
      }
    },
  }
}
