import type { HostFault } from './faults/break.ts'
import { activationFaults } from './faults/activation.ts'
import { brokenFaults } from './faults/broken.ts'
import { consentFaults } from './faults/consent.ts'
import { historyFaults } from './faults/history.ts'
import { isolationFaults, reloadFaults } from './faults/isolation.ts'
import { listingFaults } from './faults/listing.ts'
import { resourcesFaults } from './faults/resources.ts'

/** Toy hosts with one fault each. Every judged check is the first of at least one. */
export const hostFaults: readonly HostFault[] = [
  ...listingFaults,
  ...brokenFaults,
  ...activationFaults,
  ...resourcesFaults,
  ...historyFaults,
  ...isolationFaults,
  ...reloadFaults,
  ...consentFaults,
]
