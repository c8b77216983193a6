// The public API of @repertoire/tools/network (values: 2, types: 3). Written by "npm run api".

import { LookupAddress } from 'node:dns'
import { buildConnector } from 'undici'

// Values

export function createAddressCheck(allowed: readonly string[], own?: () => readonly string[]): AddressCheck;

export function guardedConnector(isPermitted: AddressCheck, given: GuardedConnectorOptions): buildConnector.connector;

// Types

export type AddressCheck = (address: string) => boolean;

export interface GuardedConnectorOptions {
    readonly resolve?: ResolveName;
    readonly timeoutMs: number;
    readonly ca?: readonly string[];
}

export type ResolveName = (name: string, callback: (error: Error | null, addresses: readonly LookupAddress[]) => void) => void;
