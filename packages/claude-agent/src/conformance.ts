import type { AdapterDriver, Conversation, TaskEndpoint, TaskSetup, WireRequest } from '@repertoire/conformance'
import type { Options } from '@anthropic-ai/claude-agent-sdk'
import type { SavedSession } from '@repertoire/core'
import { openAdapterSession } from '@repertoire/core/adapter'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { ownName, wireName } from './server.ts'
import { skillsQuery } from './skills-query.ts'

/** What a fresh process needs: Claude Code's own conversation, and the session. */
interface Saved {
  readonly home: string
  readonly resume?: string | undefined
  readonly session: SavedSession
}

/** What Claude Code does otherwise, by the reason. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  'Claude Code sends tools in alphabetical order, and goes on offering each that it has offered once.': [
    '*/offeredTools',
  ],
  'The names of tools are longer on the wire than in the audit, whose digests and counts are of the short ones.': [
    '*/auditEvents',
    '*/usage',
  ],
  'Claude Code itself answers the call of a tool that it does not offer, or that is written in another case.': [
    'activation-calls/results',
    'execution-skills/results',
    'forks-together/results',
    'forks-work/results',
    'gate-calls/results',
    'gate-rules/toolRuns',
    'gate-rules/results',
    'history-turns/results',
    'options-resumed/results',
  ],
  'Claude Code adds notes of its own to the system prompt of a sub-agent.': [
    'forks-asked/systemPrompts',
    'forks-begun/systemPrompts',
    'forks-calls-asked/systemPrompts',
    'forks-choice/systemPrompts',
    'forks-history/systemPrompts',
    'forks-in-forks/systemPrompts',
    'forks-stopped/systemPrompts',
    'forks-stopped-model/systemPrompts',
    'forks-together/systemPrompts',
    'forks-work/systemPrompts',
    'options-modes/systemPrompts',
  ],
  'The system prompt of a query stays as it began. What has changed is added to the conversation.': [
    'options-lease/systemPrompts',
    'options-styles',
    'turns-reminder',
  ],
  'Claude Code takes a message with a slash for a command of its own, and tells the model that there is none.': [
    'options-listing',
    'turns-invocation/turnTexts',
    'turns-invocation/history',
  ],
  'Claude Code parses the arguments of calls itself, and sends back what it has parsed.': [
    'errors-arguments',
    'errors-odd-arguments',
  ],
  'Claude Code keeps the conversation, and compacts it itself.': [
    'cleanup-stopped-model',
    'window-own-model',
    'window-pinned',
    'window-reasoning',
    'window-summary',
  ],
  'A process of Claude Code has one endpoint, and each model of the suite has its own.': ['activation-model'],
  'Claude Code adds a line break to a message that nobody has answered.': ['history-apart'],
  'Claude Code tells the model that a person has interrupted it.': [
    'cleanup-stopped-tool/turnTexts',
    'history-stopped',
  ],
  'Claude Code asks the model once more where an answer ends at the limit of tokens.': ['errors-answer-ends'],
  'Claude Code replaces an empty result by a sentence.': ['errors-results/results'],
  'Claude Code words the error of a model call anew.': ['forks-asked/results'],
  'Claude Code finds the result of a call by its id alone, and sends an empty id back as it is.': [
    'consent-shared-ids',
  ],
}

/** Judges this adapter with the real child process: `describeConformance(claudeAgentDriver)` in vitest. */
export const claudeAgentDriver: AdapterDriver = {
  name: 'Claude Agent SDK',
  variants: [{ name: 'query', protocol: 'anthropic', load: findClaudeCode }],
  capabilities: {
    suspend: {
      absent:
        'A hook of Claude Code can defer a call, but the other calls of the message are lost, and a query that goes on reports the tools of this process as not available.',
    },
    resume: true,
    abort: true,
    parallelCalls: true,
    hiding: { absent: 'Claude Code offers every tool that a query began with. Calls are refused all the same.' },
    continuation: true,
    compaction: true,
    approval: true,
    output: {
      absent:
        'Claude Code has the model call a tool of its own for such an answer, which the models of the suite do not.',
    },
    handoff: { absent: 'Agents of the SDK work for the main agent and return to it.' },
  },
  known: Object.fromEntries(Object.entries(KNOWN).flatMap(([reason, ids]) => ids.map((id) => [id, reason]))),
  wire: { toWire: wireName, fromWire: (sent) => ownName(sent) ?? sent, read: inConversation },
  start: (task) => Promise.resolve(converse(task)),
}

/** What Claude Code adds to a system prompt: who the model is, where it runs, and which hook has added what follows. */
const FRAME =
  /^You are a Claude agent, built on Anthropic's Claude Agent SDK\.|\n\n# Environment\n[^]*?\n\nYou are powered by the model [^\n]*\.|\n\nToday's date is [\d-]+\.|(?:UserPromptSubmit|PostToolBatch|SessionStart) hook additional context: /g

function withoutFrame(sent: string): string {
  const [billing = ''] = /^x-anthropic-billing-header:(?: [a-z_]+=[^;]*;)*/.exec(sent) ?? []
  return sent.slice(billing.length).replaceAll(FRAME, '')
}

/** What turns have added. Claude Code sends it behind the message, as other frameworks do, but in the system's role. */
const turnTexts = new Set<string>()

function inConversation(request: WireRequest): WireRequest {
  const messages = [...request.messages]
  let system = withoutFrame(request.system)
  let persons = 0
  for (const { role, content } of (request.raw as RawRequest).messages) {
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    if (role === 'user' && parts.some(({ type }) => type !== 'tool_result')) persons++
    if (role !== 'system') continue
    const said = parts.map(({ text = '' }) => text).join('')
    const text = [...turnTexts].find((each) => said.includes(each))
    if (text === undefined) continue
    system = system.replace(`\n\n${text}`, () => '')
    const at = messages.findIndex(
      ({ role: from }, index) => from === 'user' && countPersons(messages, index) === persons,
    )
    messages.splice(at + 1, 0, { role: 'user', text })
    persons++
  }
  return { ...request, system, messages }
}

/** The number of messages in the role of a person up to a position. */
function countPersons(messages: WireRequest['messages'], at: number): number {
  return messages.slice(0, at + 1).filter(({ role }) => role === 'user').length
}

/** What is read of a request's body. */
interface RawRequest {
  readonly messages: readonly {
    readonly role: string
    readonly content: string | readonly { readonly type: string; readonly text?: string }[]
  }[]
}

function converse(task: TaskSetup): Conversation {
  const saved = task.saved as Saved | undefined
  const { tools, instructions, maxSteps, models, subagents, approval } = task
  const home = saved?.home ?? mkdtempSync(join(folder(), 'home-'))
  const session = openAdapterSession(task.repertoire, { ...task.session, ...(saved && { saved: saved.session }) })
  let resume = saved?.resume

  const own: Options = {
    ...endpointOptions(task.endpoint, home),
    cwd: home,
    systemPrompt: instructions,
    tools: [],
    settingSources: [],
    strictMcpConfig: true,
    maxTurns: maxSteps,
    allowedTools: tools.filter(({ name }) => approval?.tools.includes(name) !== true).map(({ name }) => wireName(name)),
    ...(approval && {
      async canUseTool(name, input) {
        const tool = ownName(name) ?? name
        if (!approval.tools.includes(tool)) return { behavior: 'deny', message: 'Nobody was asked.' }
        const { approved, reason } = await approval.ask({ tool, input })
        return approved ? { behavior: 'allow' } : { behavior: 'deny', message: reason ?? 'It was not approved.' }
      },
    }),
  }

  async function run(text: string, signal: AbortSignal | undefined): Promise<string> {
    const abortController = new AbortController()
    const abort = (): void => abortController.abort(signal?.reason)
    signal?.throwIfAborted()
    signal?.addEventListener('abort', abort, { once: true })
    const query = skillsQuery(session, text, {
      options: { ...own, abortController, ...(resume !== undefined && { resume }) },
      functions: tools.map((tool) => ({ ...tool, risk: 'safe' })),
      onTurn: ({ text: added }) => void (added !== undefined && turnTexts.add(added)),
      subagents,
      resolveModel(name) {
        const found = models?.get(name)
        return found && endpointOptions(found, home)
      },
    })
    try {
      for await (const message of query) {
        if (message.type === 'system' && message.subtype === 'init') resume = message.session_id
        if (message.type !== 'result') continue
        if (message.subtype === 'error_max_turns') return ''
        if (message.subtype !== 'success') throw new Error(message.errors.join(' '))
        if (message.is_error) throw new Error(message.result)
        return message.result
      }
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    } finally {
      signal?.removeEventListener('abort', abort)
    }
    signal?.throwIfAborted()
    throw new Error('Claude Code ended without a result.')
  }

  return {
    send: async (text, { signal } = {}) => ({ status: 'done', text: await run(text, signal) }),
    answer: () => Promise.reject(new Error('There is nothing to answer.')),
    save: async () => ({ home, resume, session: session.save() }) satisfies Saved,
    forget: async () => void (resume = undefined),
    active: async () => session.activeSkills,
    end: () => session.end(),
  }
}

let made: string | undefined

/** Configuration and conversations of all tasks, away from those of the person whose machine it is. */
function folder(): string {
  if (made === undefined) {
    const path = mkdtempSync(join(tmpdir(), 'repertoire-claude-agent-'))
    made = path
    process.once('exit', () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }))
  }
  return made
}

/** Throws if there is no program to start: an installation may leave it out. */
async function findClaudeCode(): Promise<void> {
  if (process.env['CLAUDE_CODE_EXECUTABLE'] !== undefined) return
  const sdk = createRequire(createRequire(import.meta.url).resolve('@anthropic-ai/claude-agent-sdk'))
  const { platform, arch } = process
  try {
    sdk.resolve(`@anthropic-ai/claude-agent-sdk-${platform}-${arch}/package.json`)
  } catch (cause) {
    const text =
      'Claude Code is not installed. Install @anthropic-ai/claude-agent-sdk with its optional dependencies, or name the program in CLAUDE_CODE_EXECUTABLE.'
    throw Object.assign(new Error(text, { cause }), { code: 'ERR_MODULE_NOT_FOUND' })
  }
}

function endpointOptions({ baseURL, apiKey, model }: TaskEndpoint, home: string): Options {
  const executable = process.env['CLAUDE_CODE_EXECUTABLE']
  return {
    model,
    pathToClaudeCodeExecutable: executable,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      ANTHROPIC_BASE_URL: baseURL,
      ANTHROPIC_API_KEY: apiKey,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: '1',
      // Otherwise a request that was refused is sent again without them.
      CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS: '1',
      CLAUDE_CODE_MAX_RETRIES: '0',
      ENABLE_TOOL_SEARCH: 'false',
    },
  }
}
