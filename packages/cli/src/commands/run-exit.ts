import type { Outcome, RefusalCode } from '@repertoire/core'
import { constants } from 'node:os'
import { isScriptOutput } from './run-skill.ts'

/** Exit codes of what did not run, as of `env`, `timeout` and shells. */
export const NOT_RUN = { timedOut: 124, refused: 125, unavailable: 126, notFound: 127 } as const

/** The help text about exit codes. */
export const EXIT_HELP = `Exit code: that of the script, or 128 and its signal; ${NOT_RUN.timedOut} it ran too long, ${NOT_RUN.refused} it was refused or failed to run,
${NOT_RUN.unavailable} it cannot run here, ${NOT_RUN.notFound} no such skill or script; otherwise 0, 1 if a plan failed, 2 for a wrong command.`

const BY_CODE: Partial<Record<RefusalCode, number>> = {
  SKILL_NOT_FOUND: NOT_RUN.notFound,
  RESOURCE_NOT_FOUND: NOT_RUN.notFound,
  SCRIPT_UNAVAILABLE: NOT_RUN.unavailable,
}

/** The exit code that says what became of it. */
export function exitCodeOf(outcome: Outcome): number {
  if (!outcome.ok) return BY_CODE[outcome.refusal.code] ?? NOT_RUN.refused
  const { value } = outcome
  if (!isScriptOutput(value)) return hasFailed(value) ? 1 : 0
  const { end, exitCode, signalName } = value
  if (end === 'exited') return exitCode ?? 0
  if (end === 'timed-out') return NOT_RUN.timedOut
  const number = (constants.signals as Readonly<Record<string, number>>)[signalName ?? 'SIGINT']
  return number === undefined ? NOT_RUN.refused : 128 + number
}

function hasFailed(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'failed' in value && value.failed === true
}
