import { Buffer } from 'node:buffer'

/** What a job's script in the sandbox returned. */
export interface Report {
  /** What is not there, if something is not. */
  readonly missing?: 'interpreter' | 'workspace'
  readonly exitCode: number
  readonly timedOut: boolean
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
  readonly dropped: { readonly stdout: number; readonly stderr: number }
}

const HEADER = /^repertoire-report (\d+) ([01]) +(\d+) +(\d+) +(\d+) +(\d+)\s/m
const BODY = /^([A-Za-z0-9+/=\s]*)(?:-\s([A-Za-z0-9+/=\s]*))?/
const MISSING = /^repertoire-report missing( workspace)?\s*$/m

/**
 * Reads the report, or returns undefined where there is none. Where the client of the sandbox cut it off, what is left is
 * read, and the rest counts as dropped.
 */
export function readReport(text: string): Report | undefined {
  const missing = MISSING.exec(text)
  if (missing !== null) return { ...NOTHING, missing: missing[1] === undefined ? 'interpreter' : 'workspace' }
  const header = HEADER.exec(text)
  if (header === null) return undefined
  const [code = 0, late = 0, restOfOutput = 0, restOfErrors = 0, outputSize = 0, errorsSize = 0] = header
    .slice(1)
    .map(Number)
  const [, errors = '', output = ''] = BODY.exec(text.slice(header.index + header[0].length)) ?? []
  const stdout = Buffer.from(output, 'base64').subarray(0, outputSize)
  const stderr = Buffer.from(errors, 'base64').subarray(0, errorsSize)
  return {
    exitCode: code,
    timedOut: late === 1,
    stdout,
    stderr,
    dropped: {
      stdout: restOfOutput + outputSize - stdout.byteLength,
      stderr: restOfErrors + errorsSize - stderr.byteLength,
    },
  }
}

const NOTHING: Report = {
  exitCode: 0,
  timedOut: false,
  stdout: new Uint8Array(),
  stderr: new Uint8Array(),
  dropped: { stdout: 0, stderr: 0 },
}
