export { otelAudit } from './opentelemetry-audit.ts'
export type { OtelAuditOptions } from './opentelemetry-audit.ts'
