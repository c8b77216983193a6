// The public API of @repertoire/core/node (values: 17, types: 28). Written by "npm run api".

import { Admission } from '@repertoire/core'
import { AuditEvent } from '@repertoire/core'
import { AuditSink } from '@repertoire/core'
import { Diagnostic } from '@repertoire/core'
import { Dirent } from 'node:fs'
import { HostTools } from '@repertoire/core'
import { Layer } from '@repertoire/core'
import { ListingBudget } from '@repertoire/core'
import { ListingStyle } from '@repertoire/core'
import { Profile } from '@repertoire/core'
import { Repertoire } from '@repertoire/core'
import { RepertoireOptions } from '@repertoire/core'
import { SearchMode } from '@repertoire/core'
import { Skill } from '@repertoire/core'
import { SkillFolder } from '@repertoire/core'
import { SkillMounts } from '@repertoire/core'
import { SkillSource } from '@repertoire/core'
import { Stats } from 'node:fs'
import { ToolsetLoader } from '@repertoire/core'

// Values

export class OpenFailure extends Error {
    readonly name = "OpenFailure";
    readonly kind: OpenFailureKind;
    constructor(kind: OpenFailureKind, cause?: unknown);
}

export function configuredSources(configuration: Configuration): SkillSource[];

export function directorySource(options: DirectorySourceOptions): SkillSource;

export function embedSkills(options: EmbedSkillsOptions): readonly string[];

export function ensureDefaults(options?: EnsureDefaultsOptions): Promise<EnsuredDefaults>;

export function jsonLinesAudit(options: JsonLinesAuditOptions): JsonLinesAudit;

export function loadConfiguration(options?: ConfigurationOptions): Promise<Configuration>;

export function moduleToolsets(options?: ModuleToolsetsOptions): ToolsetLoader & {
    close(): Promise<void>;
};

export function openConfigured(from?: Configuration | ConfigurationOptions, host?: ConfiguredHost): Promise<Repertoire>;

export function openPinnedFolder(real: string, descriptorPaths?: boolean): OpenFolder;

export function openSkillFolder(path: string, options?: OpenSkillFolderOptions): SkillFolder;

export function packageSource(options: PackageSourceOptions): SkillSource;

export function privateMounts(options: PrivateMountsOptions): PrivateMounts;

export function readAudit(path: string): AsyncGenerator<AuditLine, void, undefined>;

export function replaceInherited(last: number): ReplacedDescriptors;

export function saveResource(skill: Pick<Skill, 'folder'>, path: string, bytes: Uint8Array | string, options?: SaveResourceOptions): Promise<void>;

export function standardSources(options?: StandardSourcesOptions): SkillSource[];

// Types

export type AuditLine = {
    readonly line: number;
    readonly event: AuditEvent;
} | {
    readonly line: number;
    readonly torn: string;
};

export interface Configuration {
    readonly enabled: boolean;
    readonly profile: Profile;
    readonly style: ListingStyle;
    readonly listingBudget?: ListingBudget | false;
    readonly contextWindow?: number;
    readonly search?: SearchMode;
    readonly admit?: Admission;
    readonly layers: readonly Layer[];
    readonly collision: 'first' | 'last';
    readonly programs: ProgramPolicy;
    readonly ask: readonly string[];
    readonly roots: {
        readonly enterprise: readonly string[];
        readonly personal: readonly string[];
        readonly project: readonly string[];
        readonly plugin: readonly string[];
        readonly bundled: readonly string[] | boolean;
    };
    readonly tools: HostTools;
    readonly toolRoot?: string;
    readonly skillsDir?: string;
    readonly writeRoot: string | false;
    readonly folders: readonly string[];
    readonly packages: boolean | readonly string[];
    readonly home: string | false;
    readonly project: string | false;
    readonly trustProject: boolean;
    readonly followLinks: readonly Layer[];
    readonly watch: boolean;
    readonly cacheTtl?: number;
    readonly minReloadInterval?: number;
    readonly files: readonly string[];
    readonly origins: Readonly<Record<ConfigurationKey, ConfigurationOrigin>>;
    readonly diagnostics: readonly Diagnostic[];
}

export type ConfigurationKey = Exclude<keyof ConfigurationSettings, 'roots'> | `roots.${keyof ConfiguredRoots}`;

export interface ConfigurationOptions {
    readonly project?: string | false;
    readonly file?: string | false;
    readonly env?: Environment;
    readonly overrides?: ConfigurationSettings;
}

export interface ConfigurationOrigin {
    readonly from: 'default' | 'user' | 'project' | 'environment' | 'code';
    readonly at?: string;
}

export interface ConfigurationSettings {
    readonly enabled?: boolean;
    readonly profile?: Profile;
    readonly style?: ListingStyle;
    readonly listingBudget?: ListingBudget | false;
    readonly contextWindow?: number;
    readonly search?: SearchMode;
    readonly admit?: Admission;
    readonly layers?: readonly Layer[];
    readonly collision?: 'first' | 'last';
    readonly programs?: ProgramPolicy;
    readonly ask?: readonly string[];
    readonly roots?: ConfiguredRoots;
    readonly tools?: HostTools;
    readonly toolRoot?: string;
    readonly skillsDir?: string;
    readonly writeRoot?: string | false;
    readonly folders?: readonly string[];
    readonly packages?: boolean | readonly string[];
    readonly trustProject?: boolean;
    readonly followLinks?: readonly Layer[];
    readonly watch?: boolean;
    readonly cacheTtl?: number;
    readonly minReloadInterval?: number;
}

export interface ConfiguredHost extends Omit<RepertoireOptions, ConfiguredOption> {
    readonly sources?: readonly SkillSource[];
    readonly tools?: HostTools;
}

export interface ConfiguredRoots {
    readonly enterprise?: readonly string[] | false;
    readonly personal?: readonly string[] | false;
    readonly project?: readonly string[] | false;
    readonly plugin?: readonly string[] | false;
    readonly bundled?: readonly string[] | boolean;
}

export interface DirectorySourceOptions extends ReadRules {
    readonly root: string;
    readonly layer: Layer;
    readonly id?: string;
    readonly depth?: number;
    readonly hidden?: boolean;
    readonly maxFolders?: number;
    readonly followLinks?: boolean;
    readonly trusted?: boolean;
    readonly optional?: boolean;
    readonly watch?: DirectoryWatchOptions;
}

export interface DirectoryWatchOptions {
    readonly by?: 'events' | 'polling';
    readonly interval?: number;
}

export interface EmbedSkillsOptions {
    readonly from: string;
    readonly to: string;
    readonly exportName?: string;
}

export interface EnsureDefaultsOptions {
    readonly folder?: string;
    readonly configuration?: Pick<Configuration, 'writeRoot' | 'roots'>;
    readonly skills?: Readonly<Record<string, Readonly<Record<string, string | Uint8Array>>>>;
    readonly env?: Environment;
}

export interface EnsuredDefaults {
    readonly folder: string;
    readonly copied: readonly string[];
    readonly kept: readonly string[];
}

export interface FolderWriting<Folder> {
    at<T>(name: string, work: (path: string) => T): T;
    makeFolder(name: string): Folder;
    write(name: string, bytes: Uint8Array, options?: WriteOptions): void;
    move(name: string, target: Pick<FolderWriting<Folder>, 'at'>, targetName: string): void;
    remove(name: string): void;
}

export interface JsonLinesAudit extends AuditSink {
    write(event: AuditEvent): Promise<void>;
    close(): Promise<void>;
}

export interface JsonLinesAuditOptions {
    readonly path: string;
    readonly fsync?: boolean;
    readonly rotateAt?: number;
}

export interface ModuleToolsetsOptions {
    readonly root?: string;
}

export type OpenFailureKind = 'missing' | 'link' | 'folder' | 'special' | 'denied' | 'replaced' | 'system';

export interface OpenFile {
    readonly fd: number;
    readonly stats: Stats;
}

export interface OpenFolder extends FolderWriting<OpenFolder> {
    folder(name: string): OpenFolder;
    file(name: string): OpenFile;
    entries(): Dirent[];
    stat(name: string): Stats;
    close(): void;
}

export interface OpenSkillFolderOptions extends ReadRules {
    readonly followLinks?: boolean;
    readonly fileName?: string;
}

export interface PackageSourceOptions {
    readonly project: string;
    readonly packages?: 'direct' | readonly string[];
    readonly trusted?: boolean;
    readonly id?: string;
}

export interface PrivateMounts extends SkillMounts {
    sweep(options: {
        readonly keep: Iterable<string>;
        readonly olderThan?: number;
    }): Promise<readonly string[]>;
}

export interface PrivateMountsOptions {
    readonly root: string;
    readonly maxBytes?: number;
    readonly now?: () => number;
}

export interface ReplacedDescriptors {
    readonly stdio: readonly (3 | 'ignore')[];
    close(): void;
}

export interface SaveResourceOptions {
    readonly executable?: boolean;
    readonly maxBytes?: number;
}

export interface StandardSourcesOptions {
    readonly enterprise?: Folders;
    readonly personal?: Folders;
    readonly home?: string | false;
    readonly project?: string | false;
    readonly projectFolders?: Folders;
    readonly trustProject?: boolean;
    readonly plugins?: Folders;
    readonly packages?: boolean | readonly string[];
    readonly bundled?: Folders | true;
    readonly folders?: readonly string[];
    readonly followLinks?: readonly Layer[];
    readonly env?: Environment;
}

export interface WriteOptions {
    readonly mode?: number;
    readonly check?: () => void;
}

// Not exported, but part of the above

type ConfiguredOption = 'sources' | 'enabled' | 'profile' | 'style' | 'layers' | 'collision' | 'listingBudget' | 'search' | 'admit' | 'watch' | 'cacheTtl' | 'minReloadInterval';

type Environment = Readonly<Record<string, string | undefined>>;

type Folders = string | readonly string[] | false;

type ProgramPolicy = 'any' | 'known';

interface ReadRules {
    readonly hardLinks?: 'refuse' | 'allow';
    readonly maxFiles?: number;
}
