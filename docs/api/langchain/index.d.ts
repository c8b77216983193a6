// The public API of @repertoire/langchain (values: 6, types: 8). Written by "npm run api".

import { AgentMiddleware } from 'langchain'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { BaseMessage } from '@langchain/core/messages'
import { ClientTool } from '@langchain/core/tools'
import { Command } from '@langchain/langgraph'
import { ConsentAnswer } from '@repertoire/core'
import { ConsentRequest } from '@repertoire/core'
import { Interrupt } from '@langchain/langgraph'
import { ReducedValue } from '@langchain/langgraph'
import { Repertoire } from '@repertoire/core'
import { RunnableConfig } from '@langchain/core/runnables'
import { Runtime } from 'langchain'
import { SavedSession } from '@repertoire/core'
import { SealedChanges } from '@repertoire/core/adapter'
import { ServerTool } from '@langchain/core/tools'
import { Session } from '@repertoire/core'
import { SessionOptions } from '@repertoire/core'
import { StateSchema } from '@langchain/langgraph'

// Values

export function activeSkills(agent: SkillsAgent, config: RunnableConfig, options?: Pick<SkillsMiddlewareOptions, 'name'>): Promise<readonly string[]>;

export function consentRequests(agent: SkillsAgent, config: RunnableConfig): Promise<readonly PendingConsent[]>;

export function endSkills(repertoire: Repertoire, agent: SkillsAgent, config: RunnableConfig, options?: EndOptions): Promise<void>;

export function needsApproval(request: CallRequest): boolean;

export function resumeWith(pending: readonly PendingConsent[], answers: readonly ConsentAnswer[]): Command;

export function skillsMiddleware<Context = unknown>(repertoire: Repertoire, session?: SkillsSession | ((runtime: Runtime<Context>) => SkillsSession), options?: SkillsMiddlewareOptions): SkillsMiddleware;

// Types

export interface EndOptions extends Pick<SkillsMiddlewareOptions, 'name'> {
    readonly session?: SkillsSession;
}

export interface ForkOptions {
    readonly agent?: SubAgent | undefined;
    readonly agents?: Readonly<Record<string, SubAgent>> | undefined;
    readonly resolveModel?: ((name: string) => BaseChatModel | string | undefined) | undefined;
}

export interface PendingConsent {
    readonly interruptId: string;
    readonly request: ConsentRequest;
}

export interface SkillsAgent {
    readonly graph: {
        getState(config: RunnableConfig): Promise<ThreadState>;
        updateState(config: RunnableConfig, values: Record<string, unknown> | null, asNode?: string): Promise<unknown>;
    };
}

export type SkillsMiddleware = AgentMiddleware<SkillsState, undefined, unknown, readonly []>;

export interface SkillsMiddlewareOptions extends ForkOptions {
    readonly name?: string;
}

export type SkillsSession = Omit<SessionOptions, 'saved' | 'hostTools' | 'model'>;

export interface SubAgent {
    readonly systemPrompt?: string;
    readonly tools?: readonly (ClientTool | ServerTool)[];
    readonly model?: BaseChatModel | string;
    readonly middleware?: readonly AgentMiddleware[];
    readonly maxSteps?: number;
}

// Not exported, but part of the above

interface CallRequest {
    readonly toolCall: {
        readonly id?: string | undefined;
    };
    readonly state: {
        readonly messages?: readonly BaseMessage[];
    };
}

type ChannelName = `_${string}`;

type ChannelUpdate = SealedChanges & {
    readonly last?: LastModelCall;
};

type ChannelValue = SavedSession & {
    readonly last?: LastModelCall;
};

interface LastModelCall {
    readonly tools: readonly string[];
    readonly model?: string;
}

class RunSession {
    #private;
    constructor(session: Session, repertoire: Pick<Repertoire, 'onClose'>);
    get session(): Session;
    follow(options: Pick<Runtime, 'signal' | 'configurable'>): this;
    end(): Promise<void>;
}

type SkillsState = StateSchema<{
    readonly [channel: ChannelName]: ReducedValue<ChannelValue | RunSession | null, ChannelUpdate | RunSession>;
}>;

interface ThreadState {
    readonly values: Readonly<Record<string, unknown>>;
    readonly next: readonly string[];
    readonly config: RunnableConfig;
    readonly tasks: readonly {
        readonly interrupts: readonly Interrupt[];
        readonly result?: unknown;
    }[];
}
