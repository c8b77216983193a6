// The public API of @repertoire/langchain (values: 4, types: 7). Written by "npm run api".

import { AgentMiddleware } from 'langchain'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { BaseMessage } from '@langchain/core/messages'
import { ClientTool } from '@langchain/core/tools'
import { ReducedValue } from '@langchain/langgraph'
import { Repertoire } from '@repertoire/core'
import { RunnableConfig } from '@langchain/core/runnables'
import { Runtime } from 'langchain'
import { SavedSession } from '@repertoire/core'
import { SealedChanges } from '@repertoire/core/adapter'
import { ServerTool } from '@langchain/core/tools'
import { SessionOptions } from '@repertoire/core'
import { StateSchema } from '@langchain/langgraph'

// Values

export function activeSkills(agent: SkillsAgent, config: RunnableConfig, options?: Pick<SkillsMiddlewareOptions, 'name'>): Promise<readonly string[]>;

export function endSkills(repertoire: Repertoire, agent: SkillsAgent, config: RunnableConfig, options?: EndOptions): Promise<void>;

export function needsApproval(request: CallRequest): boolean;

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

export interface SkillsAgent {
    readonly graph: {
        getState(config: RunnableConfig): Promise<{
            readonly values: Readonly<Record<string, unknown>>;
            readonly next: readonly string[];
        }>;
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

type SkillsState = StateSchema<{
    readonly [channel: ChannelName]: ReducedValue<ChannelValue | null, ChannelUpdate>;
}>;
