import type { Repertoire, SessionStore } from '@repertoire/core'
import type { Agent, LanguageModel, ToolLoopAgentSettings, ToolSet } from 'ai'
import { checkOptions, type OptionKind } from '@repertoire/core/options'
import type { AgentSession, SkillsCall } from '../skills-agent.ts'
import { LIKE_THE_RUN } from '../call-settings.ts'
import { AGENT_OPTIONS, type AnyAgent, type AnyOptions, owningAgent, setting } from '../skills-agent.ts'
import { OPTIONS, VERSION_6 } from './join.ts'
import type { System } from './fork.ts'
import type { SkillsOptions } from './settings.ts'

/** Settings of version 6's `ToolLoopAgent` that are passed on as they are. */
const PASSED = [
  'id',
  'allowSystemInMessages',
  'toolChoice',
  'stopWhen',
  'experimental_telemetry',
  'output',
  'experimental_context',
  'experimental_download',
  'experimental_repairToolCall',
  'experimental_toolApprovalSecret',
  'providerOptions',
  // Version 6 has no such setting.
  ...LIKE_THE_RUN.filter((name) => name !== 'reasoning'),
  'maxRetries',
  'timeout',
  'headers',
  'onStepFinish',
  'onFinish',
] as const

/** Options of `skillsAgent`: those here, those of `withSkills`, and the settings of a `ToolLoopAgent`. */
export type SkillsAgentOptions<TOOLS extends ToolSet = {}> = Omit<
  SkillsOptions<TOOLS>,
  'abortSignal' | 'save' | 'system'
> &
  Pick<
    ToolLoopAgentSettings<never, TOOLS>,
    Extract<(typeof PASSED)[number], keyof ToolLoopAgentSettings<never, TOOLS>>
  > & {
    readonly model: LanguageModel
    readonly repertoire: Repertoire
    /** The host's own system prompt. */
    readonly instructions?: System | undefined
    /** Keeps the sessions between calls. The same store on every machine: an approval may arrive at another one. */
    readonly sessions?: SessionStore | undefined
    /** How each session is opened, such as `{ agent: 'coder', consent }`. */
    readonly session?: AgentSession | undefined
  }

const { system, abortSignal: _signal, save: _save, ...SKILLS } = OPTIONS
const { model, repertoire, sessions, session } = AGENT_OPTIONS
const PASSED_ON: Record<string, OptionKind> = Object.fromEntries(PASSED.map((name) => [name, setting]))
const TABLE = { ...SKILLS, ...PASSED_ON, instructions: system, model, repertoire, sessions, session }

/**
 * An agent of AI SDK 6 whose calls use skills. It owns its sessions, as the one for version 7 does: with `sessions`,
 * `options: { session: id }` continues the session of that name, and an approval may come with the next call.
 * @throws {TypeError} an option has an unknown name or a wrong kind of value; a host tool has the name of a skill tool
 */
export function skillsAgent<TOOLS extends ToolSet = {}>(
  options: SkillsAgentOptions<TOOLS> & { readonly sessions: SessionStore },
): Agent<SkillsCall, TOOLS>
export function skillsAgent<TOOLS extends ToolSet = {}>(
  options: SkillsAgentOptions<TOOLS> & { readonly sessions?: undefined },
): Agent<never, TOOLS>
export function skillsAgent(given: object): AnyAgent {
  checkOptions<object>('skillsAgent', TABLE, given, 'skillsAgent({ model, tools, repertoire })')
  return owningAgent(given as AnyOptions, VERSION_6)
}
