import type { ScriptEnd, ScriptLimits, ScriptResult } from '../ports/script-runner.ts'
import { enclosed, escapeXml, showName } from '@repertoire/skill-md/internal'
import { withoutTerminalCodes } from '../text/plain-text.ts'

/** What a script did, as a value for programs: whole, where the limits allow it, and unchanged. */
export interface ScriptOutput {
  readonly skill: string
  /** Relative to the skill's folder. Absent: the skill itself is the script. */
  readonly path?: string
  readonly interpreter: string
  readonly end: ScriptEnd
  /** With `exited`. */
  readonly exitCode?: number
  /** With `signalled`. */
  readonly signalName?: string
  /** As UTF-8; what is not is U+FFFD. */
  readonly stdout: string
  readonly stderr: string
  /** Whether a part of either was dropped at the limit. */
  readonly truncated: boolean
  readonly durationMs: number
}

/** Returns the result of a runner as a value for programs. */
export function toScriptOutput({
  skill,
  path,
  interpreter,
  result,
}: Pick<ScriptOutput, 'skill' | 'path' | 'interpreter'> & { readonly result: ScriptResult }): ScriptOutput {
  const { end, exitCode, signalName, stdout, stderr, dropped, durationMs } = result
  return {
    skill,
    path,
    interpreter,
    end,
    exitCode,
    signalName,
    stdout: decode(stdout, dropped.stdout),
    stderr: decode(stderr, dropped.stderr),
    truncated: dropped.stdout > 0 || dropped.stderr > 0,
    durationMs,
  }
}

/** At the place where a stream was cut there may be a part of a character, which is left out. */
function decode(bytes: Uint8Array, dropped: number): string {
  return new TextDecoder().decode(bytes, { stream: dropped > 0 })
}

/** Characters of both streams together that a model is shown. */
const MAX_SHOWN_CHARS = 30_000

/** Characters of the error stream, if there is output too. */
const MAX_ERROR_CHARS = 10_000

/** How much of a text may be characters that cannot be shown, as a part of 1. */
const MAX_UNREADABLE = 0.2

export interface ShownScript {
  readonly skill: string
  /** Its path in the skill. Absent: the skill is the script. */
  readonly path?: string
  readonly result: ScriptResult
  readonly limits: Pick<ScriptLimits, 'timeout'>
}

/**
 * Returns what a model is shown of a script that has run: how it ended, and both streams. Each is cut in the middle,
 * if it is too long, and says so; codes for terminals and invisible characters are left out, and nothing in it can
 * end the element.
 */
export function scriptOutputText({ skill, path, result, limits }: ShownScript): string {
  const { stdout, stderr, dropped } = result
  const script = path === undefined ? '' : ` path="${escapeXml(showName(path))}"`
  const errors = streamText(stderr, dropped.stderr, MAX_ERROR_CHARS)
  const output = streamText(stdout, dropped.stdout, MAX_SHOWN_CHARS - errors.text.length)
  const cut = errors.cut || output.cut ? ' truncated="true"' : ''
  const failure = errors.text === '' ? '' : `[standard error]\n${errors.text}`
  const body = [output.text, failure].filter((text) => text !== '').join('\n')
  return [
    `<skill_output skill="${escapeXml(showName(skill))}"${script} ${endAttribute(result)}${cut}>`,
    body || '[no output]',
    ...endSentence(result, limits),
    '</skill_output>',
  ].join('\n')
}

export function hasSucceeded({ end, exitCode }: ScriptResult): boolean {
  return end === 'exited' && exitCode === 0
}

function endAttribute({ end, exitCode, signalName = 'unknown' }: ScriptResult): string {
  if (end === 'exited') return `exit="${exitCode}"`
  return end === 'signalled' ? `signal="${escapeXml(showName(signalName))}"` : `ended="${end}"`
}

/** How a script ended, as a sentence in brackets. Empty: as it should. */
export function endSentence(
  { end, signalName = 'a signal', exitCode }: ScriptResult,
  { timeout }: ShownScript['limits'],
): readonly string[] {
  if (end === 'exited') return exitCode === 0 ? [] : [`[The script failed with exit code ${exitCode}.]`]
  if (end === 'signalled') return [`[The script was ended by ${escapeXml(showName(signalName))}.]`]
  if (end === 'aborted') return ['[The script was stopped, since the run was aborted.]']
  return [`[The script was stopped: it may run for ${timeout} ms, and was not done.]`]
}

function streamText(
  bytes: Uint8Array,
  dropped: number,
  limit: number,
): { readonly text: string; readonly cut: boolean } {
  const decoded = decode(bytes, dropped).replaceAll('\0', '\uFFFD')
  const sample = decoded.slice(0, 8_192)
  if (sample.split('\uFFFD').length - 1 > sample.length * MAX_UNREADABLE)
    return { text: `[${bytes.length + dropped} bytes that are not UTF-8 text are not shown]`, cut: dropped > 0 }
  const text = enclosed(withoutTerminalCodes(decoded)).trimEnd()
  const lost = dropped > 0 ? `\n[… ${dropped} more bytes were not kept]` : ''
  if (text.length <= limit) return { text: `${text}${lost}`, cut: dropped > 0 }
  const begin = text.slice(0, Math.floor(limit / 2))
  const end = text.slice(-Math.ceil(limit / 2))
  const missing = text.length - begin.length - end.length
  return {
    text: `${wellFormed(begin)}\n[… ${missing} characters are left out …]\n${wellFormed(end)}${lost}`,
    cut: true,
  }
}

/** A text without the halves of characters at its ends. */
function wellFormed(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')
}

/** A runner may be foreign code: any other text would be shown to the model as it is. */
const SIGNAL = /^SIG[A-Z0-9+-]{1,16}$/

const ENDS: readonly ScriptEnd[] = ['exited', 'signalled', 'timed-out', 'aborted']

/**
 * Reads a foreign value as the result of a script, and cuts what a runner has left beyond the limit.
 * @returns undefined if it is not a result
 */
export function readScriptResult(value: unknown, limits: ScriptLimits): ScriptResult | undefined {
  const { end, exitCode, signalName, stdout, stderr, dropped, durationMs } = record(value)
  if (!ENDS.includes(end as ScriptEnd) || !(stdout instanceof Uint8Array) || !(stderr instanceof Uint8Array)) {
    return undefined
  }
  if (end === 'exited' && !Number.isInteger(exitCode)) return undefined
  const lost = record(dropped)
  // Errors are short and come last: what is written to them is cut only where it alone is too much.
  const keptErrors = Math.min(stderr.length, limits.maxOutputBytes)
  const keptOutput = Math.min(stdout.length, limits.maxOutputBytes - keptErrors)
  return {
    end: end as ScriptEnd,
    exitCode: end === 'exited' ? (exitCode as number) : undefined,
    signalName: end === 'signalled' && SIGNAL.test(String(signalName)) ? String(signalName) : undefined,
    stdout: stdout.subarray(0, keptOutput),
    stderr: stderr.subarray(0, keptErrors),
    dropped: {
      stdout: count(lost['stdout']) + stdout.length - keptOutput,
      stderr: count(lost['stderr']) + stderr.length - keptErrors,
    },
    durationMs: count(durationMs),
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value) as Readonly<Record<string, unknown>>
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0
}
