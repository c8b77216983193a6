// The public API of @repertoire/library (values: 32, types: 48). Written by "npm run api".

import { Configuration } from '@repertoire/core/node'
import { Diagnostic } from '@repertoire/core'
import { DirectoryWatchOptions } from '@repertoire/core/node'
import { ExecutionOutcome } from '@repertoire/core'
import { Executor } from '@repertoire/core'
import { FunctionTool } from '@repertoire/core'
import { Layer } from '@repertoire/core'
import { Manifest } from '@repertoire/core'
import { Outcome } from '@repertoire/core'
import { Repertoire } from '@repertoire/core'
import { Session } from '@repertoire/core'
import { SkillDemands } from '@repertoire/core'
import { SkillFiles } from '@repertoire/core'
import { SkillFolder } from '@repertoire/core'
import { SkillSource } from '@repertoire/core'
import { SkillStore } from '@repertoire/core'
import { StoredSkill } from '@repertoire/core'
import { ToolDefinition } from '@repertoire/core'
import { ToolRule } from '@repertoire/core'

// Values

export { LockedOrigin } from '@repertoire/core/stores';

export function buildFromSteps(name: string, description: string, executions: readonly ToolExecution[]): NewSkill;

export function buildInstructionSkill(name: string, description: string, content: string, source?: string): NewSkill;

export function buildScript(name: string, description: string, script: string, language?: string): NewSkill;

export function carryOut(plan: InstallPlan): Promise<InstallResult>;

export function changeSkillsLock(project: string, change: (skills: Map<string, LockedSkill>) => void, options?: ChangeLockOptions): Promise<SkillsLock>;

export function checkPlaces(options: CheckPlacesOptions): Promise<readonly PlaceProblem[]>;

export function clearLeftovers(options: ProjectOptions): Promise<readonly Leftover[]>;

export function createRegistry<Tool extends ToolDefinition>(options: RegistryOptions<Tool>): SkillRegistry<Tool>;

export function findLeftovers(options: ProjectOptions): Promise<readonly Leftover[]>;

export function findPlugin(marketplace: Marketplace, name: string): MarketplacePlugin;

export function locateProject(options: ProjectOptions): Promise<ProjectFolders>;

export function memoryStore(options: MemoryStoreOptions): SkillStore;

export function openConfiguredStore(options: Pick<Configuration, 'writeRoot'>, options?: Pick<FileStoreOptions, 'lockTimeout' | 'watch'>): Promise<SkillStore>;

export function openFileStore(options: FileStoreOptions): Promise<SkillStore>;

export function originText(locked: LockedOrigin): string;

export function packSkill(folder: SkillFolder, name: string, options?: {
    readonly format?: PackFormat;
}): Promise<PackedSkill>;

export function pinSkill(folder: SkillFolder, revision?: string): Promise<Required<Pick<LockedSkill, 'computedHash' | 'repertoire'>>>;

export function planAdd(options: AddOptions): Promise<InstallPlan>;

export function planInstall(options: InstallOptions): Promise<InstallPlan>;

export function planRemove(options: RemoveOptions): Promise<InstallPlan>;

export function planUpdate(options: UpdateOptions): Promise<InstallPlan>;

export function readGlobalLock(options: {
    readonly home: string;
    readonly state?: string;
}): Promise<GlobalLock>;

export function readMarketplace(text: string, options?: OriginOptions): Promise<Marketplace>;

export function readSkillsLock(project: string): Promise<SkillsLock>;

export function recoverProject(options: ProjectOptions): Promise<void>;

export function requireSkillsLock(project: string): Promise<SkillsLock>;

export function resolveOrigin(text: string, options?: OriginOptions): Promise<Origin>;

export function resolvePlugin(text: string, options?: OriginOptions): Promise<Origin>;

export function unstorageSource(options: UnstorageSourceOptions): SkillSource;

export function verifyGlobalSkills(options: {
    readonly lock: GlobalLock;
    readonly folder: string;
    readonly skills?: readonly string[];
}): Promise<readonly GlobalSkill[]>;

export function verifySkills(options: VerifyOptions): Promise<Verification>;

// Types

export interface AddOptions extends ProjectOptions, FetchOptions {
    readonly origins: readonly Origin[];
    readonly also?: Readonly<Record<string, 'link' | 'copy'>>;
    readonly force?: boolean;
}

export interface ChangeLockOptions {
    readonly timeout?: number;
}

export interface CheckPlacesOptions extends ProjectOptions {
    readonly skills?: readonly string[];
}

export interface FetchOptions {
    readonly skills?: readonly string[];
    readonly signal?: AbortSignal;
    readonly onProgress?: (step: FetchStep) => void;
}

export interface FetchStep {
    readonly kind: 'resolved' | 'received' | 'judged';
    readonly count?: number;
    readonly total?: number;
}

export interface FetchedSkill {
    readonly name: string;
    readonly path: string;
    readonly origin: string;
    readonly revision?: string;
    readonly files: SkillFiles;
}

export interface FetchedSkills {
    readonly origin: ResolvedOrigin;
    readonly skills: readonly FetchedSkill[];
    readonly diagnostics: readonly Diagnostic[];
}

export interface FileStoreOptions {
    readonly root: string;
    readonly layer: Layer;
    readonly id?: string;
    readonly lockTimeout?: number;
    readonly watch?: DirectoryWatchOptions;
}

export interface GlobalLock {
    readonly path: string;
    readonly skills: ReadonlyMap<string, GlobalLockEntry>;
}

export interface GlobalLockEntry {
    readonly source: string;
    readonly sourceType?: string;
    readonly ref?: string;
    readonly skillFolderHash?: string;
    readonly folder: string;
}

export interface GlobalSkill {
    readonly name: string;
    readonly source: string;
    readonly state: 'unchanged' | 'changed' | 'missing' | 'unknown';
}

export interface InstallOptions extends ProjectOptions, Omit<FetchOptions, 'skills'> {
    readonly frozen?: boolean;
    readonly force?: boolean;
    readonly origin?: OriginOptions;
    readonly relocate?: Relocate;
}

export interface InstallPlan {
    readonly kind: 'add' | 'install' | 'update' | 'remove';
    readonly project: string;
    readonly folder: string;
    readonly remembered: boolean;
    readonly skills: readonly PlannedSkill[];
    readonly diagnostics: readonly Diagnostic[];
    readonly places: readonly PlaceProblem[];
    readonly writes: boolean;
    readonly brings: boolean;
}

export interface InstallResult {
    readonly written: readonly string[];
    readonly pinned: readonly string[];
    readonly removed: readonly string[];
    readonly kept: readonly string[];
    readonly problems: readonly PlaceProblem[];
}

export type KeptReason = 'unchanged' | 'edited' | 'gone';

export interface Leftover {
    readonly path: string;
    readonly kind: 'change' | 'staged' | 'former' | 'lock';
    readonly own: boolean;
    readonly skill?: string;
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

export interface Marketplace {
    readonly name: string;
    readonly plugins: readonly MarketplacePlugin[];
}

export interface MarketplacePlugin {
    readonly name: string;
    readonly description?: string;
    readonly version?: string;
    readonly problem?: string;
    open(options?: {
        readonly revision?: string;
    }): Promise<Origin>;
}

export interface MemoryStoreOptions {
    readonly layer: Layer;
    readonly id?: string;
}

export interface NewSkill extends Partial<Omit<Manifest, 'name' | 'description' | 'type' | 'status' | 'allowedTools' | 'disallowedTools' | 'parameters'>> {
    readonly name: string;
    readonly description: string;
    readonly type: string;
    readonly allowedTools?: readonly (string | ToolRule)[];
    readonly disallowedTools?: readonly (string | ToolRule)[];
    readonly parameters?: Readonly<Record<string, unknown>>;
    readonly definition?: Readonly<Record<string, unknown>>;
}

export interface Origin {
    readonly resolved: ResolvedOrigin;
    fetch(options?: FetchOptions): Promise<FetchedSkills>;
}

export interface OriginOptions {
    readonly cwd?: string;
    readonly ref?: string;
    readonly revision?: string;
    readonly tokens?: Readonly<Record<string, string>>;
    readonly allowPrivate?: readonly string[];
    readonly ca?: string;
    readonly proxy?: string | false;
    readonly timeout?: number;
    readonly maxBytes?: number;
    readonly registry?: string;
    readonly localGit?: boolean;
    readonly signal?: AbortSignal;
    readonly onProgress?: FetchOptions['onProgress'];
}

export interface OriginPlugin {
    readonly marketplace: string;
    readonly name: string;
}

export type PackFormat = 'tar.gz' | 'zip';

export interface PackedSkill {
    readonly name: string;
    readonly bytes: Uint8Array;
    readonly paths: readonly string[];
}

export interface PinnedFile {
    readonly sha256: string;
    readonly executable?: true;
}

export interface PlaceProblem {
    readonly skill: string;
    readonly folder: string;
    readonly kind: 'link' | 'copy';
    readonly reason: string;
}

export type PlannedAction = 'add' | 'replace' | 'pin' | 'remove' | 'keep';

export interface PlannedSkill {
    readonly name: string;
    readonly action: PlannedAction;
    readonly because?: KeptReason;
    readonly description?: string;
    readonly origin?: ResolvedOrigin;
    readonly found: VerifiedSkill;
    readonly changed: readonly string[];
    readonly demands?: SkillDemands;
    readonly also: Readonly<Record<string, 'link' | 'copy'>>;
}

export interface ProjectFolders {
    readonly project: string;
    readonly folder: string;
}

export interface ProjectOptions {
    readonly project: string;
    readonly folder?: string;
    readonly user?: boolean;
    readonly timeout?: number;
}

export interface RegistryOptions<Tool extends ToolDefinition = ToolDefinition> {
    readonly store: SkillStore;
    readonly tools?: readonly Tool[];
    readonly executor?: Executor;
    readonly repertoire?: Pick<Repertoire, 'reload' | 'catalog'>;
    readonly activateTool?: string;
    readonly enabled?: boolean;
}

export type Relocate = (entry: LockedSkill, revision?: string) => Promise<Origin>;

export interface RemoveOptions extends ProjectOptions {
    readonly skills: readonly string[];
    readonly force?: boolean;
}

export interface ResolvedOrigin {
    readonly source: string;
    readonly sourceType: string;
    readonly sourceUrl?: string;
    readonly ref?: string;
    readonly revision?: string;
    readonly plugin?: OriginPlugin;
}

export interface SkillPin {
    readonly revision?: string;
    readonly files: Readonly<Record<string, PinnedFile>>;
    readonly folder?: string;
    readonly plugin?: OriginPlugin;
    readonly also?: Readonly<Record<string, 'link' | 'copy'>>;
}

export interface SkillRegistry<Tool extends ToolDefinition = ToolDefinition> {
    readonly store: SkillStore;
    create(skill: NewSkill): Promise<StoredSkill>;
    activate(name: string): Promise<StoredSkill>;
    load(): Promise<readonly SkillTool[]>;
    loadedSkills(): readonly SkillTool[];
    allTools(): readonly (Tool | SkillTool)[];
    tools(session: Session): readonly (Tool | SkillTool)[];
}

export interface SkillTool extends FunctionTool {
    execute(input: unknown, options?: {
        readonly callId: string;
        readonly signal?: AbortSignal;
    }): Promise<ExecutionOutcome | Outcome>;
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

export interface UnstorageReader {
    getKeys(base: string, options: object): readonly string[] | Promise<readonly string[]>;
    getItem(key: string, options?: object): unknown;
    getItemRaw?(key: string, options: object): unknown;
}

export interface UnstorageSourceOptions {
    readonly storage: UnstorageReader;
    readonly layer: Layer;
    readonly id?: string;
    readonly base?: string;
}

export interface UpdateOptions extends Omit<InstallOptions, 'frozen' | 'force'> {
    readonly skills?: readonly string[];
    readonly force?: boolean;
}

export interface Verification {
    readonly ok: boolean;
    readonly skills: readonly VerifiedSkill[];
    readonly unknown: readonly string[];
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
    readonly skills?: readonly string[];
}
