// The public API of @repertoire/library (values: 10, types: 15). Written by "npm run api".

import { DirectoryWatchOptions } from '@repertoire/core/node'
import { Layer } from '@repertoire/core'
import { Manifest } from '@repertoire/core'
import { Repertoire } from '@repertoire/core'
import { SkillFolder } from '@repertoire/core'
import { SkillStore } from '@repertoire/core'
import { StoredSkill } from '@repertoire/core'
import { ToolDefinition } from '@repertoire/core'

// Values

export function buildFromSteps(name: string, description: string, executions: readonly ToolExecution[]): NewSkill;

export function buildInstructionSkill(name: string, description: string, content: string, source?: string): NewSkill;

export function buildScript(name: string, description: string, script: string, language?: string): NewSkill;

export function changeSkillsLock(project: string, change: (skills: Map<string, LockedSkill>) => void, options?: ChangeLockOptions): Promise<SkillsLock>;

export function createRegistry<Tool extends ToolDefinition>(options: RegistryOptions<Tool>): SkillRegistry<Tool>;

export function memoryStore(options: MemoryStoreOptions): SkillStore;

export function openFileStore(options: FileStoreOptions): Promise<SkillStore>;

export function pinSkill(folder: SkillFolder, revision?: string): Promise<Required<Pick<LockedSkill, 'computedHash' | 'repertoire'>>>;

export function readSkillsLock(project: string): Promise<SkillsLock>;

export function verifySkills(options: VerifyOptions): Promise<Verification>;

// Types

export interface ChangeLockOptions {
    readonly timeout?: number;
}

export interface FileStoreOptions {
    readonly root: string;
    readonly layer: Layer;
    readonly id?: string;
    readonly lockTimeout?: number;
    readonly watch?: DirectoryWatchOptions;
}

export interface LockedSkill {
    readonly source: string;
    readonly sourceType: string;
    readonly sourceUrl?: string;
    readonly ref?: string;
    readonly skillPath?: string;
    readonly computedHash?: string;
    readonly repertoire?: SkillPin;
    readonly [key: string]: unknown;
}

export interface MemoryStoreOptions {
    readonly layer: Layer;
    readonly id?: string;
}

export interface NewSkill extends Partial<Omit<Manifest, 'name' | 'description' | 'type' | 'status'>> {
    readonly name: string;
    readonly description: string;
    readonly type: string;
    readonly definition?: Readonly<Record<string, unknown>>;
}

export interface PinnedFile {
    readonly sha256: string;
    readonly executable?: true;
}

export interface RegistryOptions<Tool extends ToolDefinition = ToolDefinition> {
    readonly store: SkillStore;
    readonly tools?: readonly Tool[];
    readonly repertoire?: Pick<Repertoire, 'reload'>;
}

export interface SkillPin {
    readonly revision?: string;
    readonly files: Readonly<Record<string, PinnedFile>>;
}

export interface SkillRegistry<Tool extends ToolDefinition = ToolDefinition> {
    readonly store: SkillStore;
    create(skill: NewSkill): Promise<StoredSkill>;
    activate(name: string): Promise<StoredSkill>;
    load(): Promise<readonly ToolDefinition[]>;
    loadedSkills(): readonly ToolDefinition[];
    allTools(): readonly (Tool | ToolDefinition)[];
}

export interface SkillsLock {
    readonly skills: ReadonlyMap<string, LockedSkill>;
    readonly extra: Readonly<Record<string, unknown>>;
}

export interface ToolExecution {
    readonly tool: string;
    readonly parameters?: Readonly<Record<string, unknown>>;
    readonly ok?: boolean;
    readonly description?: string;
}

export interface Verification {
    readonly ok: boolean;
    readonly skills: readonly VerifiedSkill[];
}

export interface VerifiedSkill {
    readonly name: string;
    readonly state: VerifiedState;
    readonly edited: readonly string[];
    readonly added: readonly string[];
    readonly missing: readonly string[];
    readonly mode: readonly string[];
    readonly hashFits?: boolean;
    readonly reason?: string;
}

export type VerifiedState = 'unchanged' | 'changed' | 'missing' | 'unpinned' | 'unlocked' | 'unreadable';

export interface VerifyOptions {
    readonly lock: SkillsLock;
    readonly folder: string;
}
