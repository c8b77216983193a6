// The public API of @repertoire/conformance/vitest (values: 1, types: 1). Written by "npm run api".

import { AdapterDriver } from '@repertoire/conformance'
import { Check } from '@repertoire/conformance'
import { CheckOptions } from '@repertoire/conformance'
import { Status } from '@repertoire/conformance'

// Values

export function describeConformance(driver: AdapterDriver, options?: CheckOptions): void;

// Types

export interface Result {
    readonly adapter: string;
    readonly id: string;
    readonly level: Check['level'];
    readonly title: string;
    readonly status: Status;
    readonly reason?: string;
    readonly workaround?: string;
    readonly absent?: string;
    readonly variants?: readonly VariantResult[];
}

// Added to other modules

declare module 'vitest' {
    interface TaskMeta {
        conformance?: Result;
    }
}

// Not exported, but part of the above

interface VariantResult {
    readonly variant: string;
    readonly passed: boolean;
    readonly reason?: string;
}
