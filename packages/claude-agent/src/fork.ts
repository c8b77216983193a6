import type { Options, Query } from '@anthropic-ai/claude-agent-sdk'
import type { ForkRunner, Session } from '@repertoire/core'
import { DEFAULT_SUB_AGENT_STEPS, subAgentFor, unfinishedForkError } from '@repertoire/core/adapter'
import { modelOptions, type SkillsOptions } from './options.ts'

/** Runs each sub-agent of a skill with its own query. */
export function forkRunner(
  parent: SkillsOptions,
  start: (session: Session, prompt: string, options: SkillsOptions) => Query,
): ForkRunner {
  // What is of the caller alone. A sub-agent cannot ask: Claude Code denies what would need it.
  const {
    agent: _,
    continue: __,
    resume: ___,
    sessionId: ____,
    forkSession: _____,
    resumeSessionAt: ______,
    canUseTool: _______,
    ...own
  } = parent.options ?? {}
  return async (request) => {
    const { subagents, resolveModel, options: { model: parentModel = {} } = {} } = parent
    const { agent, model } = subAgentFor(request, { subagents, resolveModel, parentModel })
    const { message, signal } = request
    const abortController = new AbortController()
    signal.addEventListener('abort', () => abortController.abort(signal.reason), { once: true })
    signal.throwIfAborted()
    const options: Options = {
      ...own,
      maxTurns: DEFAULT_SUB_AGENT_STEPS,
      persistSession: false,
      ...agent?.options,
      ...modelOptions(model),
      systemPrompt: agent?.instructions ?? agent?.options?.systemPrompt ?? request.system,
      abortController,
    }
    const { functions = parent.functions } = agent ?? {}
    for await (const answer of start(request.session, message, { ...parent, functions, options, onTurn: undefined })) {
      if (answer.type !== 'result') continue
      if (answer.subtype === 'error_max_turns') throw unfinishedForkError(answer.num_turns)
      if (answer.subtype !== 'success') throw new Error(answer.errors.join(' ') || answer.subtype)
      if (answer.is_error) throw new Error(answer.result)
      const { input_tokens: inputTokens, output_tokens: outputTokens } = answer.usage
      return { text: answer.result, usage: { inputTokens, outputTokens } }
    }
    signal.throwIfAborted()
    throw new Error('Claude Code ended without a result.')
  }
}
