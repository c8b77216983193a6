import type { Scenario } from '../../oracle/scenario.ts'
import { activationScenarios } from './activation.ts'
import { approvalScenarios } from './approvals.ts'
import { cleanupScenarios } from './cleanup.ts'
import { consentScenarios } from './consent.ts'
import { forkEndScenarios } from './fork-ends.ts'
import { forkScenarios } from './forks.ts'
import { gateScenarios } from './gate.ts'
import { historyScenarios } from './history.ts'
import { listingScenarios } from './listing.ts'
import { optionScenarios } from './options.ts'
import { turnScenarios } from './turns.ts'
import { windowScenarios } from './window.ts'

/** Every scenario that comes with this package. */
export const SCENARIOS: readonly Scenario[] = [
  ...listingScenarios,
  ...turnScenarios,
  ...activationScenarios,
  ...gateScenarios,
  ...consentScenarios,
  ...approvalScenarios,
  ...forkScenarios,
  ...forkEndScenarios,
  ...historyScenarios,
  ...cleanupScenarios,
  ...windowScenarios,
  ...optionScenarios,
]
