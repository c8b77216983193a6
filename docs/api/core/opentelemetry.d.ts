// The public API of @repertoire/core/opentelemetry (values: 1, types: 1). Written by "npm run api".

import { AuditSink } from '@repertoire/core'
import { Meter } from '@opentelemetry/api'
import { Tracer } from '@opentelemetry/api'

// Values

export function openTelemetryAudit(options?: OpenTelemetryAuditOptions): AuditSink;

// Types

export interface OpenTelemetryAuditOptions {
    readonly tracer?: Tracer;
    readonly meter?: Meter;
    readonly provider?: string;
}
