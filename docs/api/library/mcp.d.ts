// The public API of @repertoire/library/mcp (values: 5, types: 10). Written by "npm run api".

import { Client } from '@modelcontextprotocol/client'
import { Layer } from '@repertoire/core'
import { McpServer } from '@modelcontextprotocol/server'
import { Origin } from '@repertoire/library'
import { Repertoire } from '@repertoire/core'
import { SkillSource } from '@repertoire/core'
import { Viewer } from '@repertoire/core'

// Values

export function attachSkills(server: McpServer, view: ServedView): Promise<void>;

export function mcpSource(options: McpSourceOptions): SkillSource;

export function openMcpOrigin(options: McpOriginOptions): Promise<Origin>;

export function serveSkillsOverHttp(options: ServeHttpOptions): Promise<HttpSkillsServer>;

export function serveSkillsOverStdio(options: ServeStdioOptions): Promise<SkillsServer>;

// Types

export interface HttpSkillsServer extends SkillsServer {
    readonly url: string;
}

export type McpConnection = Client | (() => Promise<Client>);

export interface McpOriginOptions {
    readonly client: McpConnection;
    readonly label: string;
    readonly url?: string;
    readonly timeout?: number;
    readonly signal?: AbortSignal;
}

export interface McpSourceOptions {
    readonly client: McpConnection;
    readonly label: string;
    readonly layer: Layer;
    readonly dynamic?: boolean;
    readonly timeout?: number;
    readonly maxSkills?: number;
}

export interface ServeHttpOptions extends ServeOptions {
    readonly port?: number;
    readonly host?: string;
}

export interface ServeOptions extends ServedView {
    readonly name?: string;
    readonly version?: string;
}

export interface ServeStdioOptions extends ServeOptions {
    readonly input?: NodeJS.ReadableStream;
    readonly output?: NodeJS.WritableStream;
    readonly onClose?: () => void;
}

export interface ServedView {
    readonly repertoire: Repertoire;
    readonly viewer?: Viewer;
    readonly onUnserved?: (skill: UnservedSkill) => void;
}

export interface SkillsServer {
    close(): Promise<void>;
}

export interface UnservedSkill {
    readonly name: string;
    readonly message: string;
}
