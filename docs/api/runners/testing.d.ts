// The public API of @repertoire/runners/testing (values: 2, types: 5). Written by "npm run api".

import { ScriptJob } from '@repertoire/core'
import { ScriptResult } from '@repertoire/core'
import { ScriptRunner } from '@repertoire/core'

// Values

export const runnerCases: readonly RunnerCase[];

export function runnerContract(subject: RunnerSubject, framework: TestFramework): void;

// Types

export interface CaseContext {
    readonly runner: ScriptRunner;
    readonly open: () => Promise<ScriptRunner>;
    readonly sh: (script: string, changes?: Partial<ScriptJob>) => Promise<ScriptResult>;
    readonly survivors: (marker: string) => Promise<number>;
}

export interface RunnerCase {
    readonly title: string;
    readonly promise?: RunnerPromise;
    run(context: CaseContext): Promise<void>;
}

export type RunnerPromise =
'binary-output'
 | 'partial-output'
 | 'exact-counts'
 | 'background'
 | 'escapees'
 | 'signals'
 | 'read-only-files'
 | 'process-limit'
 | 'file-limit'
 | 'folder-limit'
 | 'no-network'
 | 'host-files'
 | 'host-processes';

export interface RunnerSubject {
    readonly name: string;
    readonly open: () => ScriptRunner | Promise<ScriptRunner>;
    readonly lacks?: Partial<Record<RunnerPromise, string>>;
    readonly survivors?: (marker: string) => Promise<number>;
}

export interface TestFramework {
    readonly describe: (name: string, declare: () => void) => unknown;
    readonly it: (title: string, run: () => Promise<void>, timeoutMs: number) => unknown;
    readonly afterAll: (run: () => Promise<void>) => unknown;
}
