import type { HandCheck } from './checks/by-hand/hand.ts'
import type { Scenario } from './oracle/scenario.ts'

/** One row of a report: a scenario, whose aspects are compared with core's, or a check by hand. */
export type Check = Scenario | HandCheck

/** Whether a check is a scenario. */
export function isScenario(check: Check): check is Scenario {
  return 'turns' in check
}

export type { ToolRun } from './tools.ts'
