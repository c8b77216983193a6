export { tenantPart } from './namespace.ts'
