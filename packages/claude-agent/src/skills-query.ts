import { isDeepStrictEqual } from 'node:util'
import type { Options, Query, SDKUserMessage } from '@anthropic-ai/claude-agent-sdk'
import type { ForkRunner, Session, TokenUsage, ToolCall, ToolDefinition } from '@repertoire/core'
import { adapterSession } from '@repertoire/core/adapter'
import { checkOptions, required, sessionKind } from '@repertoire/core/options'
import { createCalls, type ShownResult } from './calls.ts'
import { createConversation } from './conversation.ts'
import { forkRunner } from './fork.ts'
import { asQuestion, skillHooks } from './hooks.ts'
import { modelOptions, SKILLS_OPTIONS, type SkillsOptions } from './options.ts'
import { createSkillServer, SERVER, wireName } from './server.ts'
import { watchedQuery } from './watched-query.ts'

/** The tools that Claude Code has by default, as skills name them. */
const BUILT_IN = ['Agent', 'Bash', 'Edit', 'Glob', 'Grep', 'NotebookEdit', 'Read', 'WebFetch', 'WebSearch', 'Write']

/**
 * Returns the host's options for `query` with a session's skills: an MCP server with the skill tools, the list of
 * skills in the system prompt, and hooks by which every message and every call passes the session.
 * @throws {TypeError} an option has an unknown name or a wrong kind of value; a function has the name of a skill tool
 */
export function queryOptions(session: Session, options: SkillsOptions = {}): Options {
  return join(session, options, () => {}).options
}

function join(given: Session, options: SkillsOptions, onError: (error: unknown) => void) {
  checkOptions('queryOptions', { session: required(sessionKind) }, { session: given })
  checkOptions('queryOptions', SKILLS_OPTIONS, options, 'queryOptions(session, { options })')
  const session = adapterSession(given)
  const { options: own = {}, functions = [], onTurn, resolveModel } = options
  const abortController = own.abortController ?? new AbortController()
  const { signal } = abortController
  const fork: ForkRunner = forkRunner(options, skillsQuery)
  const execute = ({ id, tool, input }: ToolCall): unknown =>
    functions.find(({ name }) => name === tool)?.execute(input, { callId: id, signal })
  const run = async (call: ToolCall): Promise<ShownResult> => {
    const result = await calls.run(call, execute)
    conversation.shows(result.text)
    return result
  }
  const server = createSkillServer(functions, run)
  const builtIn = Array.isArray(own.tools) ? own.tools : BUILT_IN
  const hostTools = [...builtIn, ...functions.map(({ name }) => name)]
  const view = session.view({ tools: hostTools, resolveModel })
  const asked = modelOptions(view.model)
  const { model = own.model } = asked
  const isModel = (name: string): boolean =>
    view.model !== undefined && isDeepStrictEqual(resolveModel?.(name), view.model)
  const conversation = createConversation({ session, hostTools, model, isModel, show: (shown) => server.show(shown) })
  const calls = createCalls(() => conversation.step(), signal, fork)
  void server.show(view)
  conversation.begin(view)
  const isFunction = (name: string): boolean => functions.some((each) => each.name === name)
  const parts = { session, canUseTool: own.canUseTool, calls, isFunction, conversation, fork, signal, onError, onTurn }
  const joinedOptions: Options = {
    ...own,
    ...asked,
    abortController,
    systemPrompt: systemPrompt(own.systemPrompt, view.instructions),
    // The texts of skills name tools as the session does.
    toolAliases: { ...aliases(builtIn, [...functions, ...view.tools]), ...own.toolAliases },
    mcpServers: { ...own.mcpServers, [SERVER]: server.config },
    // Claude Code's own skills, which no session sees.
    ...(own.skills === undefined && { skills: [], disallowedTools: [...(own.disallowedTools ?? []), 'Skill'] }),
    ...(own.canUseTool && { canUseTool: asQuestion(parts, own.canUseTool) }),
    hooks: skillHooks(parts, own.hooks),
  }
  const recordUsage = (usage: TokenUsage): void =>
    void conversation.step().then(
      ({ step }) => step.recordUsage(usage),
      () => undefined,
    )
  return { options: joinedOptions, recordUsage }
}

/**
 * Starts a query whose agent uses a session's skills. It is used as the SDK's `query`; what skills need beside the
 * options of that is in `SkillsOptions`. One session is one task; a task may take several queries.
 * @throws {TypeError} as `queryOptions`
 */
export function skillsQuery(
  session: Session,
  prompt: string | AsyncIterable<SDKUserMessage>,
  options: SkillsOptions = {},
): Query {
  const failures: unknown[] = []
  const { options: own, recordUsage } = join(session, options, (error) => failures.push(error))
  const adapter = adapterSession(session)
  // Claude Code takes a text that begins with a slash for its own command.
  if (typeof prompt !== 'string') return watchedQuery(recordUsage, failures, asWritten(prompt, adapter.invokes), own)
  const { verbatimPrompts = adapter.invokes(prompt) } = own
  return watchedQuery(recordUsage, failures, prompt, { ...own, verbatimPrompts })
}

/** Has Claude Code take some messages as they are written. */
async function* asWritten(
  messages: AsyncIterable<SDKUserMessage>,
  invokes: (text: string) => boolean,
): AsyncGenerator<SDKUserMessage> {
  for await (const message of messages) {
    const { content } = message.message
    const text =
      typeof content === 'string' ? content : content.map((part) => ('text' in part ? part.text : '')).join('')
    yield invokes(text) ? { ...message, client_composed: true } : message
  }
}

/** Leads calls by the names of the session to the tools of the server, in lower case too. */
function aliases(builtIn: readonly string[], tools: readonly ToolDefinition[]): Record<string, string> {
  const own = tools.map(({ name }) => name).filter((name) => !builtIn.includes(name))
  const written = own.flatMap((name) =>
    [name, name.toLowerCase(), wireName(name.toLowerCase())].map((as) => [as, wireName(name)]),
  )
  return Object.fromEntries(written.filter(([as, name]) => as !== name))
}

/** The list of a later query may be another one, so Claude Code must not go on with the first. */
function systemPrompt(own: Options['systemPrompt'], list: string): Options['systemPrompt'] {
  if (list === '') return own
  const behind = (text: string | undefined): string => [text, list].filter(Boolean).join('\n\n')
  const joined = (text: string | string[] | undefined) => (Array.isArray(text) ? [...text, list] : behind(text))
  const snapshot = false
  if (typeof own !== 'object' || Array.isArray(own)) return { type: 'custom', prompt: joined(own), snapshot }
  if (own.type === 'preset') return { snapshot, ...own, append: behind(own.append) }
  return { snapshot, ...own, prompt: joined(own.prompt) }
}
