// The public API of @repertoire/core/stores (values: 26, types: 6). Written by "npm run api".

import { FolderEntry } from '@repertoire/core'
import { FolderListing } from '@repertoire/core'
import { Manifest } from '@repertoire/core'
import { SkillContent } from '@repertoire/core'
import { SkillDefinition } from '@repertoire/core'
import { SkillError } from '@repertoire/core'
import { SkillFiles } from '@repertoire/core'
import { SkillFolder } from '@repertoire/core'
import { SkillStore } from '@repertoire/core'
import { StoredFile } from '@repertoire/core'
import { StoredSkill } from '@repertoire/core'

// Values

export function checkResource(skill: string, path: string, file: StoredFile, hidden?: boolean): readonly string[];

export function checkSessionId(id: unknown): asserts id is string;

export function checkSessionOptions(method: 'acquire' | 'renew' | 'save', options: unknown): void;

export function checkSessionTenant(tenant: unknown): asserts tenant is string;

export function checkSkillContent(content: SkillContent): SkillContent['manifest'];

export function checkSkillFiles(name: string, files: SkillFiles): Promise<CheckedSkill>;

export function checkSkillName(name: unknown): asserts name is string;

export function checkSkillPaths(name: string, sizes: readonly (readonly [path: string, size: number])[]): void;

export function countChanges(store: Omit<SkillStore, 'changes'>): SkillStore;

export function createPathIndex(): PathIndex;

export function inTime<T>(promise: PromiseLike<T>, timeoutMs: number, what: string, signal?: AbortSignal): Promise<T>;

export function isSameName(a: string, b: string): boolean;

export function leaseLost(session: string): SkillError;

export function listFiles(entries: readonly FolderEntry[]): FolderListing;

export function lockedFolderName(name: string): string;

export function lockedOriginText(origin: LockedOrigin): string | undefined;

export function measureFolder(folder: SkillFolder, listing: FolderListing, manifest: ManifestBytes, options?: MeasureOptions): Promise<FolderDigest>;

export function nearestNames(mistyped: string, names: Iterable<string>, count?: number): readonly string[];

export function readStored(key: string, folder: SkillFolder, origin?: string): Promise<StoredSkill>;

export function refuseConflict(name: string, expected: string | null | undefined, stored: string | undefined): void;

export function resourceParts(path: string, location: string, hidden?: boolean): readonly string[];

export function revisionOf(folder: SkillFolder): Promise<string>;

export function storedKey(name: string, get: (key: string) => Promise<StoredSkill>): Promise<string>;

export function storedPathProblem(path: string): string | undefined;

export function storedSkillName(manifestName: string): string;

export function versionConflict(session: string, stored: number, ifVersion: number): SkillError;

// Types

export interface CheckedSkill {
    readonly manifest: Manifest;
    readonly body: string;
    readonly definition: SkillDefinition;
}

export interface FolderDigest {
    readonly digest: string;
    readonly whole: boolean;
    readonly files: ReadonlyMap<string, string>;
}

export interface LockedOrigin {
    readonly source: string;
    readonly sourceType: string;
    readonly sourceUrl?: string;
    readonly ref?: string;
    readonly skillPath?: string;
}

export interface MeasureOptions {
    readonly known?: ReadonlyMap<string, string>;
    readonly sha256?: (data: Uint8Array | string) => string;
}

export interface PathIndex {
    add(parts: readonly string[], kind: 'file' | 'folder'): PathTwin | undefined;
}

export interface PathTwin {
    readonly path: string;
    readonly other: string;
}

// Not exported, but part of the above

interface ManifestBytes {
    readonly path: string;
    readonly bytes: Uint8Array;
}
