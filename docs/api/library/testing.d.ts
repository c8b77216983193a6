// The public API of @repertoire/library/testing (values: 2, types: 5). Written by "npm run api".

import { SkillStore } from '@repertoire/core'

// Values

export const storeCases: readonly StoreCase[];

export function storeContract(subject: StoreSubject, framework: StoreTestFramework): void;

// Types

export interface StoreCase {
    readonly title: string;
    run(context: StoreCaseContext): Promise<void>;
}

export interface StoreCaseContext {
    readonly store: SkillStore;
    readonly again: () => Promise<SkillStore>;
}

export interface StorePlace {
    readonly open: () => SkillStore | Promise<SkillStore>;
    readonly remove?: () => Promise<void>;
}

export interface StoreSubject {
    readonly name: string;
    readonly prepare: () => StorePlace | Promise<StorePlace>;
}

export interface StoreTestFramework {
    readonly describe: (name: string, declare: () => void) => unknown;
    readonly it: (title: string, run: () => Promise<void>) => unknown;
}
