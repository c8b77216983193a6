// The public API of @repertoire/tools (values: 7, types: 30). Written by "npm run api".

import { FunctionTool } from '@repertoire/core'
import { LookupAddress } from 'node:dns'
import { ScriptIsolation } from '@repertoire/core'
import { ScriptLimits } from '@repertoire/core'
import { ScriptRunner } from '@repertoire/core'

// Values

export function builtInTools(options?: BuiltInToolsOptions): readonly FunctionTool[];

export function executeCommandTool(options: ExecuteCommandToolOptions): FunctionTool;

export function executeSqlTool(options: ExecuteSqlToolOptions): FunctionTool;

export function fileOperationsTool(options?: FileOperationsToolOptions): FunctionTool;

export function httpRequestTool(options?: HttpRequestToolOptions): FunctionTool;

export function openBashTool(options: BashToolOptions): Promise<BashTool>;

export function openBuiltInTools(options?: OpenBuiltInToolsOptions): Promise<OpenedTools>;

// Types

export interface BashTool extends FunctionTool {
    readonly isolation: ScriptIsolation;
    close(): Promise<void>;
}

export interface BashToolOptions {
    readonly workspace: {
        readonly path: string;
        readonly access?: 'read' | 'write';
    };
    readonly runner: (workspace: CommandWorkspace) => ScriptRunner | Promise<ScriptRunner>;
    readonly protect?: readonly string[];
    readonly hide?: readonly string[];
    readonly git?: 'read' | 'write';
    readonly network?: boolean;
    readonly limits?: Partial<ScriptLimits>;
    readonly environment?: Readonly<Record<string, string>>;
    readonly name?: string;
    readonly allowWithoutIsolation?: boolean;
}

export interface BuiltInToolsOptions {
    readonly http?: HttpRequestToolOptions | false;
    readonly files?: FileOperationsToolOptions | false;
    readonly command?: ExecuteCommandToolOptions | false;
    readonly sql?: ExecuteSqlToolOptions | false;
}

export interface CommandResult {
    readonly exitCode?: number;
    readonly signalName?: string;
    readonly stdout: string;
    readonly stderr: string;
    readonly truncated: boolean;
}

export interface CommandWorkspace {
    readonly path: string;
    readonly access: 'read' | 'write';
    readonly protect: readonly string[];
    readonly hide: readonly string[];
}

export interface ExecuteCommandToolOptions {
    readonly programs: Readonly<Record<string, string>> | readonly string[];
    readonly roots?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    readonly timeoutMs?: number;
    readonly maxOutputBytes?: number;
}

export interface ExecuteSqlToolOptions {
    readonly connection: SqliteConnection | PostgresConnection;
    readonly access?: SqlAccess;
    readonly functions?: readonly string[];
    readonly maxRows?: number;
    readonly maxBytes?: number;
    readonly timeoutMs?: number;
}

export type FileOperation = (typeof OPERATIONS)[number];

export type FileOperationsResult = ReadFile | (FolderEntries & {
    readonly path: string;
}) | (WrittenFile & {
    readonly replacements?: number;
}) | {
    readonly path: string;
};

export interface FileOperationsToolOptions {
    readonly roots?: readonly string[];
    readonly operations?: readonly FileOperation[];
    readonly protect?: readonly string[];
    readonly maxBytes?: number;
    readonly maxEntries?: number;
}

export interface FolderEntries {
    readonly entries: readonly ListedEntry[];
    readonly truncated: boolean;
}

export type HttpMethod = (typeof METHODS)[number];

export interface HttpRequestToolOptions {
    readonly allow?: readonly string[];
    readonly allowPrivate?: readonly string[];
    readonly methods?: readonly HttpMethod[];
    readonly redirects?: 'follow' | 'same-origin' | 'refuse';
    readonly maxBytes?: number;
    readonly oversized?: 'refuse' | 'cut';
    readonly timeoutMs?: number;
    readonly proxy?: string;
    readonly resolve?: ResolveName;
}

export interface HttpResponse extends ReadBody {
    readonly status: number;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly redirects: number;
}

export interface ListedEntry {
    readonly path: string;
    readonly type: 'file' | 'folder' | 'link' | 'other';
    readonly size?: number;
}

export interface OpenBuiltInToolsOptions extends BuiltInToolsOptions {
    readonly bash?: BashToolOptions | false;
}

export interface OpenedTools {
    readonly tools: readonly FunctionTool[];
    readonly isolation?: ScriptIsolation;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

export interface PostgresClient {
    query(config: PostgresQuery): Promise<PostgresResult>;
    getTransactionStatus?(): string | null;
    getTypeParser?(type: number, format?: 'text' | 'binary'): (text: string) => unknown;
    release?(destroy?: boolean): void;
}

export type PostgresConnection = PostgresPool | PostgresClient;

export interface PostgresPool {
    connect(): Promise<PostgresClient>;
    readonly totalCount: number;
}

export interface PostgresQuery {
    readonly text: string;
    readonly values?: readonly unknown[];
    readonly rowMode: 'array';
    readonly queryMode: 'extended';
    readonly types?: {
        getTypeParser(type: number, format?: 'text' | 'binary'): (text: string) => unknown;
    };
}

export interface PostgresResult {
    readonly rows: readonly (readonly unknown[])[];
    readonly fields: readonly {
        readonly name: string;
    }[];
    readonly rowCount: number | null;
}

export interface ReadFile {
    readonly path: string;
    readonly content: string;
    readonly encoding: 'utf8' | 'base64';
    readonly version: string;
    readonly bytes: number;
}

export type ResolveName = (name: string, callback: (error: Error | null, addresses: readonly LookupAddress[]) => void) => void;

export type SqlAccess = 'read' | 'write';

export interface SqlResult {
    readonly columns: readonly string[];
    readonly rows: readonly (readonly unknown[])[];
    readonly truncated: boolean;
    readonly changes?: number;
}

export interface SqliteConnection {
    readonly isOpen?: boolean;
    location?(): string | null;
    serialize?(): Uint8Array;
    setAuthorizer?(check: unknown): void;
}

export type ToolErrorCode =
'INPUT_INVALID'
 | 'NOT_ALLOWED'
 | 'ADDRESS_REFUSED'
 | 'REDIRECT_REFUSED'
 | 'TOO_LARGE' | 'NOT_FOUND'
 | 'CONFLICT'
 | 'TIMED_OUT'
 | 'FAILED';

export type ToolResult<T = unknown> = {
    readonly success: true;
    readonly result: T;
    readonly durationMs: number;
} | {
    readonly success: false;
    readonly error: {
        readonly code: ToolErrorCode;
        readonly message: string;
    };
    readonly result?: T;
    readonly durationMs: number;
};

export interface WrittenFile {
    readonly path: string;
    readonly version: string;
    readonly bytes: number;
    readonly created: boolean;
}

// Not exported, but part of the above

const METHODS: readonly ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

const OPERATIONS: readonly ['read', 'list', 'write', 'edit', 'rename', 'delete'];

interface ReadBody {
    readonly body: string;
    readonly encoding: 'text' | 'base64';
    readonly truncated: boolean;
}
