import { activationFaults } from './faults/activation.ts'
import { askedCallsFaults } from './faults/asked-calls.ts'
import { auditFaults } from './faults/audit.ts'
import type { Fault } from './faults/break.ts'
import { cleanupFaults } from './faults/cleanup.ts'
import { consentFaults } from './faults/consent.ts'
import { errorsFaults } from './faults/errors.ts'
import { executionFaults } from './faults/execution.ts'
import { forksFaults } from './faults/forks.ts'
import { gateFaults } from './faults/gate.ts'
import { handoffFaults } from './faults/handoffs.ts'
import { historyFaults } from './faults/history.ts'
import { isolationFaults } from './faults/isolation.ts'
import { listingFaults } from './faults/listing.ts'
import { modesFaults } from './faults/modes.ts'
import { navigationFaults } from './faults/navigation.ts'
import { oneQuestionFaults } from './faults/one-question.ts'
import { resourcesFaults } from './faults/resources.ts'
import { scriptsFaults } from './faults/scripts.ts'
import { searchFaults } from './faults/search.ts'
import { stackFaults } from './faults/stack.ts'
import { storedSessionsFaults } from './faults/stored-sessions.ts'
import { toolNamesFaults } from './faults/tool-names.ts'
import { turnsFaults } from './faults/turns.ts'
import { waitingCallsFaults } from './faults/waiting-calls.ts'
import { windowFaults } from './faults/window.ts'

export { behaving, brokenDriver, type Fault } from './faults/break.ts'

/** Everything that the checks must find out. */
export const faults: readonly Fault[] = [
  ...listingFaults,
  ...activationFaults,
  ...resourcesFaults,
  ...scriptsFaults,
  ...executionFaults,
  ...gateFaults,
  ...modesFaults,
  ...toolNamesFaults,
  ...consentFaults,
  ...askedCallsFaults,
  ...oneQuestionFaults,
  ...storedSessionsFaults,
  ...waitingCallsFaults,
  ...searchFaults,
  ...stackFaults,
  ...isolationFaults,
  ...errorsFaults,
  ...cleanupFaults,
  ...turnsFaults,
  ...forksFaults,
  ...handoffFaults,
  ...historyFaults,
  ...auditFaults,
  ...navigationFaults,
  ...windowFaults,
]
