// The public API of @repertoire/storage/testing (values: 2, types: 4). Written by "npm run api".

import { SessionStore } from '@repertoire/core'

// Values

export const sessionStoreCases: readonly SessionStoreCase[];

export function sessionStoreContract(subject: SessionStoreSubject, framework: SessionStoreTestFramework): void;

// Types

export interface SessionStoreCase {
    readonly title: string;
    run(place: SessionStorePlace): Promise<void>;
}

export interface SessionStorePlace {
    readonly open: (tenant: string) => SessionStore | Promise<SessionStore>;
    readonly remove?: () => Promise<void>;
}

export interface SessionStoreSubject {
    readonly name: string;
    readonly prepare: () => SessionStorePlace | Promise<SessionStorePlace>;
}

export interface SessionStoreTestFramework {
    readonly describe: (name: string, declare: () => void) => unknown;
    readonly it: (title: string, run: () => Promise<void>) => unknown;
}
