import type { AuditEvent, ConsentHandler, ConsentRequest, FunctionTool, RepertoireOptions } from '@repertoire/core'
import type { SessionProblem, SkillSource } from '@repertoire/core'
import type { AdapterSessionOptions } from '@repertoire/core/adapter'
import type { WrittenSkill } from './written-skills.ts'
import type { Capabilities, TaskAgent } from '../driver.ts'
import type { EncodedMessage } from '../endpoint/dialect.ts'
import type { ScriptStep } from '../endpoint/script.ts'
import type { WireRequest } from '../endpoint/wire.ts'

/** The areas of behaviour that checks cover. */
export type CheckArea =
  | 'listing'
  | 'activation'
  | 'execution'
  | 'gate'
  | 'consent'
  | 'isolation'
  | 'errors'
  | 'cleanup'
  | 'turns'
  | 'history'
  | 'forks'
  | 'handoffs'
  | 'window'

/** What a report says of a row, and if it is run. */
export interface CheckFacts {
  /** Stable, kebab-case, `<area>-<what>`. */
  readonly id: string
  readonly area: CheckArea
  readonly level: 'MUST' | 'SHOULD'
  /** Whether it is run in every variant also where a seed chooses one. */
  readonly quick?: true
  /** What an adapter must do, requirement ids first: `[ACT-12] a person's /name …`. */
  readonly title: string
  /** The capabilities without which it cannot be run. */
  readonly needs?: readonly (keyof Capabilities)[]
}

/**
 * A conversation as data. A reference driver over core's door for adapters plays it, the adapter under test plays it,
 * and the aspects of both runs must be equal, word for word.
 */
export interface Scenario extends CheckFacts, Part {
  /** What a person and the host do, one after the other. At the end, the task is ended. */
  readonly turns: readonly Turn[]
  /** Aspects that frameworks may decide themselves in this scenario, each with the reason. */
  readonly free?: { readonly [Id in AspectId]?: string }
}

/** A task, and what the model does in it. */
export interface Part {
  /** A function where the setup has state or records something: it is called for each run. */
  readonly setup?: Setup | ((desk: Desk) => Setup)
  /** What the model does in the conversation, one step for each of its calls. */
  readonly script: readonly PlayedStep[]
  /** What the model does in sub-agents. A sub-agent plays the first list whose key is a part of its first message. */
  readonly forks?: Readonly<Record<string, readonly PlayedStep[]>>
}

/** A step of the model. */
export type PlayedStep =
  | ScriptStep
  /** A person presses stop while the model answers. */
  | { readonly stop: true }
  /** The skills change before the model answers, and the repertoire scans them again, unless it is not told. */
  | { readonly reload: Readonly<Record<string, WrittenSkill>>; readonly next: ScriptStep; readonly untold?: true }

/** What a person or the host does. A string is a message, and each question of its run is answered. */
export type Turn =
  | string
  /** A message whose run stops with open questions. */
  | { readonly leave: string }
  /** A message written in place of the answers to open questions. `answered`: the first of them has its answer. */
  | { readonly instead: string; readonly answered?: 'first' }
  /** Answers what is open. `stale`: with the id of the first question of all, in place of its own. */
  | { readonly answer: 'open' | 'stale' }
  /** The task goes on in a fresh process, with what was saved. The options of its session change to these. */
  | { readonly restart: Partial<Setup> }
  /** Every message is removed from the conversation. */
  | { readonly forget: true }
  /** The skills change, and the repertoire scans them again. */
  | { readonly reload: Readonly<Record<string, WrittenSkill>> }
  /** The task ends, and another begins in the same process. Its setup is that of the task before, unless it has one. */
  | { readonly another: Part }
  /** A message of another conversation over the same repertoire. It plays the list `beside` of `forks`, and ends. */
  | { readonly beside: string }

/** What a scenario is set up with. Default of each: as the endpoint, core or the suite has it. */
export interface Setup {
  /** The skills by name. Default: the fixture skills. */
  readonly skills?: Readonly<Record<string, WrittenSkill>>
  /** Sources in place of written skills. */
  readonly sources?: readonly SkillSource[]
  readonly repertoire?: Omit<RepertoireOptions, 'sources' | 'audit'>
  readonly session?: Omit<AdapterSessionOptions, 'consent' | 'onProblem' | 'id'>
  /**
   * Who answers questions: a handler of the session that agrees to all (default), to none, or answers itself; or, with
   * `suspend`, a person after the run has stopped.
   */
  readonly consent?: 'yes' | 'no' | 'suspend' | ConsentHandler
  /** The answers of the person with `suspend`. Default: yes to all. */
  readonly answers?: (request: ConsentRequest) => boolean | { readonly approved: boolean; readonly reason: string }
  /** The host's tools. Default: the bench's `Bash`, `Read`, `Write` and `WebFetch`. */
  readonly tools?: readonly FunctionTool[]
  readonly instructions?: string
  readonly maxSteps?: number
  /** The schema that answers must follow. */
  readonly output?: Readonly<Record<string, unknown>>
  /** Further models, by the names in skills, with the steps of each. */
  readonly models?: Readonly<Record<string, readonly PlayedStep[]>>
  readonly subagents?: Readonly<Record<string, TaskAgent>>
  readonly handoffs?: Readonly<Record<string, TaskAgent>>
  /** The host's own approval of its tools. Default: none needs it. */
  readonly approval?: ScriptedApproval
  /** The hooks of skills are run, except that these fail. */
  readonly hooks?: readonly string[]
  /** A sink beside the one that is read. */
  readonly audit?: RepertoireOptions['audit']
  /** Skills have private copies, which are gone in the end. */
  readonly mounts?: true
}

/** A person who approves calls of the host's own tools. */
export interface ScriptedApproval {
  readonly tools: readonly string[]
  /** The texts of inputs that are denied. */
  readonly denies?: readonly string[]
  /** The program that asks the person fails. */
  readonly fails?: true
}

/** What a setup with state is given. */
export interface Desk {
  /** Adds to what has run, beside the host's tools. */
  readonly record: (tool: string, input: unknown) => void
  /** The person presses stop. */
  readonly stop: () => void
  /** The number of the agent's requests so far. */
  readonly requests: () => number
}

/** Everything that was seen while a scenario was played. */
export interface Run {
  /** The model's conversations: that of the agent, those of sub-agents, and those that only make a summary. */
  readonly conversations: readonly Conversation[]
  /** What really ran: tools of the host, hooks, scripts, steps of plans. */
  readonly toolRuns: readonly {
    readonly tool: string
    readonly input: unknown
    readonly callId: string
    readonly at: number
  }[]
  /** What persons were asked, in order, with the number of the agent's requests before. */
  readonly questions: readonly { readonly at: number; readonly asked: Readonly<Record<string, unknown>> }[]
  readonly ends: readonly { readonly turn: string; readonly end: string }[]
  /** The active skills after each turn. */
  readonly active: readonly { readonly turn: string; readonly skills: readonly string[] }[]
  readonly events: readonly AuditEvent[]
  readonly problems: readonly SessionProblem[]
  /** What was left when the task had ended, and which requests the endpoint has refused. */
  readonly left: readonly string[]
  /** The texts of the errors that the endpoint was told to answer with. */
  readonly errors: readonly string[]
  /** What persons have written, oldest first. */
  readonly written: readonly string[]
  /** The names of models, by what they are called at the endpoint. */
  readonly models: Readonly<Record<string, string>>
  /** The ids of the model's calls, in their order. */
  readonly callIds: readonly string[]
  /** Whether each id identifies one call. Otherwise calls are told apart by their places. */
  readonly hasUniqueIds: boolean
  /** Whether calls have ids on the wire. */
  readonly hasIds: boolean
}

/** The requests of one conversation with a model. */
export interface Conversation {
  /** `the agent`, or `the sub-agent "…"`. */
  readonly name: string
  readonly exchanges: readonly Exchange[]
}

/** A request, and what the model answered; absent: nothing, since it failed. */
export interface Exchange {
  readonly model: string
  readonly request: WireRequest
  readonly answer?: EncodedMessage
  /** The tokens that the endpoint has counted, if it has answered. */
  readonly tokens?: { readonly inputTokens: number; readonly outputTokens: number }
}

/** The ids of the aspects, which are the cells of a scenario's row. */
export type AspectId =
  | 'systemPrompts'
  | 'offeredTools'
  | 'results'
  | 'toolRuns'
  | 'history'
  | 'questions'
  | 'turnTexts'
  | 'activeSkills'
  | 'auditEvents'
  | 'problems'
  | 'usage'
  | 'ended'

/** One side of a run, which must be as core's. */
export interface Aspect {
  readonly id: AspectId
  /** Returns what was seen, part by part: where, and the text. */
  read(run: Run): readonly Seen[]
}

/** A part of an aspect: `['request 2 of the agent', 'You are …']`. */
export type Seen = readonly [where: string, text: string]
