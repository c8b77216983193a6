import type { Check } from '../check.ts'
import { abortedHistoryChecks } from './aborted-history.ts'
import { activationChecks } from './activation.ts'
import { approvalChecks } from './approvals.ts'
import { argumentChecks } from './arguments.ts'
import { auditChecks } from './audit.ts'
import { cleanupChecks } from './cleanup.ts'
import { askedCallChecks } from './asked-calls.ts'
import { consentChecks } from './consent.ts'
import { endChecks } from './ends.ts'
import { errorChecks } from './errors.ts'
import { patternChecks } from './gate-patterns.ts'
import { executionChecks } from './execution.ts'
import { failingAuditChecks } from './failing-audit.ts'
import { forkChoiceChecks } from './fork-choice.ts'
import { forkConsentChecks } from './fork-consent.ts'
import { forkEndChecks } from './fork-ends.ts'
import { forkRightsChecks } from './fork-rights.ts'
import { forkChecks } from './forks.ts'
import { gateEffectiveChecks } from './gate-effective.ts'
import { gateChecks } from './gate.ts'
import { handoffChecks } from './handoffs.ts'
import { historyChecks } from './history.ts'
import { hookChecks } from './hooks.ts'
import { hostileInputChecks } from './hostile-inputs.ts'
import { invocationChecks } from './invocations.ts'
import { isolationChecks } from './isolation.ts'
import { listingChecks } from './listing.ts'
import { modeChecks } from './modes.ts'
import { mountChecks } from './mounts.ts'
import { navigationChecks } from './navigation.ts'
import { notEnabledChecks } from './not-enabled.ts'
import { oneQuestionChecks } from './one-question.ts'
import { ownToolChecks } from './own-tools.ts'
import { recordedChecks } from './recorded.ts'
import { reasoningChecks } from './reasoning.ts'
import { reloadChecks } from './reload.ts'
import { reminderChecks } from './reminders.ts'
import { resourceChecks } from './resources.ts'
import { scriptChecks } from './scripts.ts'
import { searchChecks } from './search.ts'
import { sessionOptionChecks } from './session-options.ts'
import { sideBySideChecks } from './side-by-side.ts'
import { skillModelChecks } from './skill-models.ts'
import { stackChecks } from './stack.ts'
import { storedSessionChecks } from './stored-sessions.ts'
import { styleChecks } from './styles.ts'
import { toolNameChecks } from './tool-names.ts'
import { triggerChecks } from './triggers.ts'
import { waitingCallChecks } from './waiting-calls.ts'
import { writtenMessageChecks } from './written-messages.ts'
import { windowChecks } from './window.ts'

/** All checks of the suite. */
export const checks: readonly Check[] = [
  ...listingChecks,
  ...styleChecks,
  ...searchChecks,
  ...notEnabledChecks,
  ...activationChecks,
  ...argumentChecks,
  ...hookChecks,
  ...mountChecks,
  ...skillModelChecks,
  ...ownToolChecks,
  ...reloadChecks,
  ...resourceChecks,
  ...scriptChecks,
  ...executionChecks,
  ...gateChecks,
  ...gateEffectiveChecks,
  ...patternChecks,
  ...modeChecks,
  ...toolNameChecks,
  ...consentChecks,
  ...askedCallChecks,
  ...oneQuestionChecks,
  ...storedSessionChecks,
  ...waitingCallChecks,
  ...approvalChecks,
  ...stackChecks,
  ...sideBySideChecks,
  ...isolationChecks,
  ...invocationChecks,
  ...triggerChecks,
  ...reminderChecks,
  ...historyChecks,
  ...writtenMessageChecks,
  ...reasoningChecks,
  ...abortedHistoryChecks,
  ...forkChecks,
  ...forkChoiceChecks,
  ...forkConsentChecks,
  ...forkRightsChecks,
  ...forkEndChecks,
  ...handoffChecks,
  ...errorChecks,
  ...hostileInputChecks,
  ...sessionOptionChecks,
  ...cleanupChecks,
  ...endChecks,
  ...auditChecks,
  ...failingAuditChecks,
  ...recordedChecks,
  ...navigationChecks,
  ...windowChecks,
]
