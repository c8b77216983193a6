import { cleanupChecks } from './by-hand/cleanup.ts'
import { handoffChecks } from './by-hand/handoffs.ts'
import { historyChecks } from './by-hand/history.ts'
import type { Check } from '../check.ts'
import { SCENARIOS } from './scenarios/index.ts'

/** Every check that comes with this package: scenarios, and checks by hand. */
export const checks: readonly Check[] = [...SCENARIOS, ...cleanupChecks, ...historyChecks, ...handoffChecks]
