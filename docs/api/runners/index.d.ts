// The public API of @repertoire/runners (values: 4, types: 7). Written by "npm run api".

import { ScriptRunner } from '@repertoire/core'

// Values

export function openBubblewrap(options?: BubblewrapOptions): Promise<ScriptRunner>;

export function processRunner(options?: ProcessRunnerOptions): ScriptRunner;

export function sandboxRunner(options: SandboxOptions): ScriptRunner;

export function virtualRunner(options?: VirtualRunnerOptions): ScriptRunner;

// Types

export interface BubblewrapOptions {
    readonly workspace?: Workspace;
    readonly toolchains?: readonly string[];
    readonly bubblewrap?: string;
}

export interface ProcessRunnerOptions {
    readonly workspace?: string;
}

export interface SandboxCall {
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
}

export interface SandboxFile {
    readonly path: string;
    readonly bytes: Uint8Array;
}

export interface SandboxOptions {
    readonly name: string;
    readonly write: (files: readonly SandboxFile[]) => Promise<unknown>;
    readonly exec: (line: string, call: SandboxCall) => Promise<string>;
    readonly isolated?: boolean;
    readonly notes?: readonly string[];
    readonly interpreters?: readonly string[];
    readonly folder?: string;
    readonly workspace?: string;
}

export interface VirtualRunnerOptions {
    readonly workspace?: Workspace;
}

export interface Workspace {
    readonly path: string;
    readonly access?: 'read' | 'write';
    readonly protect?: readonly string[];
    readonly hide?: readonly string[];
}
