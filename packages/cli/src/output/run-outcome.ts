import type { Outcome, Refusal, ScriptOutput } from '@repertoire/core'
import type { ObservedRunner } from '../commands/observed-runner.ts'
import { isScriptOutput } from '../commands/run-skill.ts'
import type { Context } from '../context.ts'
import type { Output } from './output.ts'
import { visible } from './text.ts'

/** Writes what came of a run: of a script its own output, of anything else its text. */
export async function writeOutcome(
  outcome: Outcome,
  observed: Pick<ObservedRunner, 'resultOf'>,
  { stdout, stderr }: Pick<Context, 'stdout' | 'stderr'>,
): Promise<void> {
  if (!outcome.ok) {
    await stderr.write(`${stderr.paint.red('error:')} ${visible(forPeople(outcome.refusal))}\n`)
    return
  }
  const { value } = outcome
  if (!isScriptOutput(value)) {
    const text = textOf(outcome)
    await writeStream(stdout, new TextEncoder().encode(text === '' || text.endsWith('\n') ? text : `${text}\n`))
    return
  }
  const result = observed.resultOf(value)
  await writeStream(stdout, result?.stdout ?? new TextEncoder().encode(value.stdout))
  await writeStream(stderr, result?.stderr ?? new TextEncoder().encode(value.stderr))
  for (const note of notesOf(value)) await stderr.write(`${stderr.paint.yellow('note:')} ${note}\n`)
}

/** A reason without the advice for a model at its end. */
function forPeople({ reason, detail }: Refusal): string {
  const why = reason.replace(/ Go on without it(?:, and say .*)?\.$/u, '')
  return detail === undefined ? why : `${why} ${detail}`
}

/** What came of a run, for a JSON value. */
export function outcomeJson(outcome: Outcome): object {
  return outcome.ok ? { outcome: outcome.value } : { refusal: outcome.refusal }
}

/** Bytes as they are, but nothing that a script prints can steer a terminal. */
async function writeStream(output: Output, bytes: Uint8Array): Promise<void> {
  if (bytes.length === 0) return
  await output.write(output.isTerminal ? visibleLines(new TextDecoder().decode(bytes)) : bytes)
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

function visibleLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.split('\t').map(visible).join('\t'))
    .join('\n')
}
