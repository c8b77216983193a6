// The public API of @repertoire/storage (values: 9, types: 25). Written by "npm run api".

import { Layer } from '@repertoire/core'
import { SessionStore } from '@repertoire/core'
import { SkillStore } from '@repertoire/core'

// Values

export class ConnectionLost extends Error {
    readonly name = "ConnectionLost";
    constructor(engine: string, cause: unknown);
}

export function openFileSessions(options: FileSessionsOptions): Promise<FileSessions>;

export function openPostgresSessions(options: PostgresSessionsOptions): Promise<PostgresSessions>;

export function openSkillStores(options: SkillStoresOptions): Promise<SkillStores>;

export function postgresEngine(options: PostgresEngineOptions): StorageEngine;

export function redisEngine(options: RedisEngineOptions): StorageEngine;

export function redisSessions(options: RedisSessionsOptions): SessionStore;

export function referencesIn(text: string): readonly string[];

export function s3Engine(options: S3EngineOptions): StorageEngine;

// Types

export interface Blob {
    readonly hash: string;
    readonly bytes: Uint8Array;
}

export interface FileSessions extends SessionStore {
    sweep(): Promise<void>;
    close(): void;
}

export interface FileSessionsOptions {
    readonly path: string;
    readonly tenant?: string;
    readonly timeout?: number;
}

export interface HeadChanges {
    readonly cursor: unknown;
    readonly isWhole: boolean;
    readonly rest?: unknown;
    readonly heads: ReadonlyMap<string, StoredHead | null>;
}

export interface HeadWrite {
    readonly tenant: string;
    readonly skill: string;
    readonly expected: string | undefined;
    readonly version: string;
    readonly text: string | null;
    readonly blobs: readonly Blob[];
}

export interface PostgresClient {
    query(query: PostgresQuery): Promise<PostgresResult>;
    on(event: string, listener: (...args: unknown[]) => void): unknown;
    release(destroy?: boolean | Error): void;
}

export interface PostgresEngineOptions {
    readonly pool: PostgresPool;
    readonly schema?: string;
}

export interface PostgresPool {
    readonly options?: {
        readonly max?: number;
    };
    query(query: PostgresQuery): Promise<PostgresResult>;
    connect(): Promise<PostgresClient>;
    on(event: 'error', listener: (error: Error) => void): unknown;
}

export interface PostgresQuery {
    readonly text: string;
    readonly values?: unknown[];
    readonly query_timeout?: number;
}

export interface PostgresResult {
    readonly rows: any[];
}

export interface PostgresSessions extends SessionStore {
    sweep(): Promise<void>;
}

export interface PostgresSessionsOptions {
    readonly pool: PostgresPool;
    readonly schema?: string;
    readonly tenant?: string;
}

export interface RedisClient {
    readonly isOpen: boolean;
    sendCommand(args: readonly (string | Buffer)[], options?: object): Promise<unknown>;
    duplicate(): RedisSubscriber;
    on(event: string, listener: (...args: unknown[]) => void): unknown;
    off(event: string, listener: (...args: unknown[]) => void): unknown;
}

export interface RedisEngineOptions {
    readonly client: RedisClient;
    readonly prefix?: string;
}

export interface RedisSessionsOptions {
    readonly client: RedisClient;
    readonly tenant?: string;
    readonly prefix?: string;
}

export interface RedisSubscriber {
    connect(): Promise<unknown>;
    subscribe(channel: string, listener: (message: string) => void): Promise<void>;
    unsubscribe(channel: string, listener: (message: string) => void): Promise<void>;
    on(event: string, listener: (...args: unknown[]) => void): unknown;
    destroy(): void;
}

export interface S3Credentials {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
}

export interface S3EngineOptions {
    readonly bucket: string;
    readonly region?: string;
    readonly credentials: S3Credentials | (() => S3Credentials | Promise<S3Credentials>);
    readonly prefix?: string;
    readonly pollInterval?: number;
    readonly fetch?: typeof fetch;
}

export interface SkillStores {
    tenant(name: string): SkillStore;
    removeTenant(name: string): Promise<void>;
    sweep(options?: SweepOptions): Promise<SweepResult>;
    close(): Promise<void>;
}

export interface SkillStoresOptions {
    readonly engine: StorageEngine;
    readonly layer: Layer;
    readonly maxTenants?: number;
    readonly cacheBytes?: number;
    readonly timeout?: number;
}

export interface StorageEngine {
    readonly name: string;
    open(): Promise<void>;
    read(tenant: string, skill: string): Promise<StoredHead | undefined>;
    readSeveral?(tenant: string, skills: readonly string[]): Promise<ReadonlyMap<string, StoredHead>>;
    changes(tenant: string, cursor?: unknown): Promise<HeadChanges>;
    write(write: HeadWrite): Promise<string | undefined>;
    readBlobs(hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
    removeTenant(tenant: string): Promise<void>;
    sweep(olderThanMs: number): Promise<SweepResult>;
    watch?(tenant: string, listener: TenantListener): Promise<() => Promise<void>>;
    close(): Promise<void>;
}

export interface StoredHead {
    readonly token: string;
    readonly text: string;
}

export interface SweepOptions {
    readonly olderThan?: number;
}

export interface SweepResult {
    readonly blobs: number;
}

export interface TenantListener {
    changed(): void;
    lost(error: unknown): void;
}
