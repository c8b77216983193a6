import type { FunctionTool } from '@repertoire/core'
import type { TaskEndpoint } from '../driver.ts'
import type { ProtocolName } from '../endpoint/protocols.ts'
import type { ScriptedCall } from '../endpoint/script.ts'
import type { WireRequest } from '../endpoint/wire.ts'

/** Connects the profile with one host: a system that loads skills by itself. Twenty to seventy lines. */
export interface HostDriver {
  /** The heading of its column in a report. */
  readonly name: string
  /** The version that is judged. Read it from the installed package, so that it stays true. */
  readonly version: string
  /** The address of what the host's makers write about skills. */
  readonly documentation: string
  /** The protocol that the host speaks with its model. Default `openai`, chat completions. */
  readonly protocol?: ProtocolName
  /** Where the host looks for skills, below its working folder: `.claude/skills`. Default `skills`. */
  readonly place?: string
  /** Starts one conversation. It must send nothing to the model before the first `send`. */
  start(task: HostTask): Promise<Host>
  /**
   * Returns the call with which a model activates a skill, or the messages of calls if it takes several. Undefined if
   * this request offers no way to do so.
   */
  readonly activate: ((skill: string, at: HostMoment) => HostCalls | undefined) | Lack
  /** Returns the call with which a model reads a file of a skill; `path` is relative to the skill's folder. */
  readonly read: ((skill: string, path: string, at: HostMoment) => HostCalls | undefined) | Lack
  /**
   * What loads a skill. A general file tool or a shell may read any file, so it is not judged for reading outside of
   * the skills. Default `own tool`, which belongs to the skills.
   */
  readonly activates?: SkillReader
  /** What reads a skill's other files. Default `own tool`. */
  readonly reads?: SkillReader
  /** Returns the call that lists the skills, if the list is the result of a tool. Default: the host shows the list. */
  list?(at: HostMoment): HostCalls
  /** Whether a request belongs to the conversation. Default: every request does. */
  own?(request: WireRequest): boolean
  /** Returns how the host names one of the task's tools to the model. Default: unchanged. */
  toolName?(name: string): string
  /** What the host's documentation says about a check, by the check's id. It changes no result. Default: nothing. */
  readonly documented?: Readonly<Record<string, string>>
}

/** What gives a model the text of a skill: a tool for skills, a tool for any file, or commands. */
export type SkillReader = 'own tool' | 'file tool' | 'shell'

/** Something that a host cannot do, with the reason. Checks that need it are n/a. */
export interface Lack {
  readonly absent: string
}

/** One call, or several messages of the model, each with one or more calls. */
export type HostCalls = ScriptedCall | readonly (readonly ScriptedCall[])[]

/** What a driver knows when it writes a call of the model. */
export interface HostMoment {
  /** The request that the call answers. */
  readonly request: WireRequest
  /** The folder that holds the skills' folders, as an absolute path. */
  readonly folder: string
}

/** What a conversation is started with. */
export interface HostTask {
  /** The model, as the vendor's client takes it; see `TaskSetup.endpoint` for what `baseURL` ends in. */
  readonly endpoint: TaskEndpoint
  /** The folder that holds the skills' folders, as an absolute path. */
  readonly folder: string
  /** The working folder of the host. It contains `folder`. */
  readonly workspace: string
  /** An empty folder for what the host would keep in a home folder, such as its configuration. */
  readonly home: string
  /** Tools that the host must offer to the model. */
  readonly tools: readonly FunctionTool[]
  /** The system prompt that the host must keep. */
  readonly instructions: string
  /**
   * Answers a question that the host asks a person before it loads a skill or runs a tool. Call it wherever the host
   * asks; leave it out if the host never does.
   */
  readonly onConsent: (question: unknown) => boolean
}

/** One conversation with the host. */
export interface Host {
  /** Sends a message of the user, and resolves when the host has finished. The value is ignored: the wire counts. */
  send(text: string): Promise<unknown>
  /** Ends the conversation, and what it started. Default: nothing has to end. */
  end?(): Promise<void>
}
