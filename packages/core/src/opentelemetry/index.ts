export { openTelemetryAudit } from './opentelemetry-audit.ts'
export type { OpenTelemetryAuditOptions } from './opentelemetry-audit.ts'
