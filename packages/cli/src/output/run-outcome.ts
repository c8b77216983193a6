import type { Outcome, Refusal, RefusalCode, ScriptOutput } from '@repertoire/core'
import { constants } from 'node:os'
import { isScriptOutput } from '../commands/run-skill.ts'
import type { Context } from '../context.ts'
import type { Output } from './output.ts'
import { visible } from './text.ts'

/** Writes what came of a run: of a script its own output, of anything else its text. */
export async function writeOutcome(
  outcome: Outcome,
  { stdout, stderr }: Pick<Context, 'stdout' | 'stderr'>,
): Promise<void> {
  if (!outcome.ok) {
    await stderr.print(`${stderr.paint.red('error:')} ${visible(forPeople(outcome.refusal))}\n`)
    return
  }
  const { value } = outcome
  if (!isScriptOutput(value)) {
    const text = textOf(outcome)
    await writeText(stdout, text === '' || text.endsWith('\n') ? text : `${text}\n`)
    return
  }
  await writeText(stdout, value.stdout)
  await writeText(stderr, value.stderr)
  for (const note of notesOf(value)) await stderr.print(`${stderr.paint.yellow('note:')} ${note}\n`)
}

/** A reason without the advice for a model at its end. */
function forPeople({ reason, detail }: Refusal): string {
  const why = reason.replace(/ Go on without it(?:, and say .*)?\.$/u, '')
  return detail === undefined ? why : `${why} ${detail}`
}

/** Nothing that a script prints can steer a terminal. */
async function writeText(output: Output, text: string): Promise<void> {
  const lines = text.split('\n').map((line) => line.split('\t').map(visible).join('\t'))
  await output.write(output.isTerminal ? lines.join('\n') : text)
}

function notesOf({ end, signalName, truncated }: ScriptOutput): readonly string[] {
  return [
    ...(end === 'timed-out' ? ['The script ran for as long as it may, and was ended.'] : []),
    ...(end === 'signalled' ? [`The script was ended by ${visible(signalName ?? 'a signal')}.`] : []),
    ...(truncated ? ['It wrote more than is kept: a part of its output is missing.'] : []),
  ]
}

function textOf({ value, text }: Extract<Outcome, { ok: true }>): string {
  const isTemplate = typeof value === 'object' && value !== null && 'type' in value && value.type === 'template'
  return isTemplate && 'text' in value && typeof value.text === 'string' ? value.text : (text ?? '')
}

/** Exit codes of what did not run, as of `env`, `timeout` and shells. */
export const NOT_RUN = { timedOut: 124, refused: 125, unavailable: 126, notFound: 127 } as const

/** The help text about exit codes. */
export const EXIT_HELP = `Exit code: that of the script, or 128 and its signal; ${NOT_RUN.timedOut} it ran too long, ${NOT_RUN.refused} it was refused or failed to run,
${NOT_RUN.unavailable} it cannot run here, ${NOT_RUN.notFound} no such skill or script; otherwise 0, or 2 for a wrong command.`

const BY_CODE: Partial<Record<RefusalCode, number>> = {
  RESOURCE_NOT_FOUND: NOT_RUN.notFound,
  SCRIPT_UNAVAILABLE: NOT_RUN.unavailable,
}

/** The exit code that says what became of it. */
export function exitCodeOf(outcome: Outcome): number {
  if (!outcome.ok) return BY_CODE[outcome.refusal.code] ?? NOT_RUN.refused
  const { value } = outcome
  if (!isScriptOutput(value)) return 0
  const { end, exitCode, signalName } = value
  if (end === 'exited') return exitCode ?? 0
  if (end === 'timed-out') return NOT_RUN.timedOut
  const number = (constants.signals as Readonly<Record<string, number>>)[signalName ?? 'SIGINT']
  return number === undefined ? NOT_RUN.refused : 128 + number
}
