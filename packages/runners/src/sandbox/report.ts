import { Buffer } from 'node:buffer'

/** What a job's script in the sandbox returned. */
export interface Report {
  /** There is no such interpreter. */
  readonly missing: boolean
  readonly exitCode: number
  readonly timedOut: boolean
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
  readonly dropped: { readonly stdout: number; readonly stderr: number }
}

const PATTERN = /^repertoire-report (\d+) ([01]) +(\d+) +(\d+)\s([A-Za-z0-9+/=\s]*)^-\s([A-Za-z0-9+/=\s]*)^end\s*$/m
const MISSING = /^repertoire-report missing\s*$/m

/** Reads the report, or returns undefined where it is not whole. */
export function readReport(text: string): Report | undefined {
  const lines = text.replaceAll('\r\n', '\n')
  if (MISSING.test(lines)) return { ...NOTHING, missing: true }
  const found = PATTERN.exec(lines)
  if (found === null) return undefined
  const [, code, late, restOfOutput, restOfErrors, stdout = '', stderr = ''] = found
  return {
    missing: false,
    exitCode: Number(code),
    timedOut: late === '1',
    stdout: Buffer.from(stdout, 'base64'),
    stderr: Buffer.from(stderr, 'base64'),
    dropped: { stdout: Number(restOfOutput), stderr: Number(restOfErrors) },
  }
}

const NOTHING: Report = {
  missing: false,
  exitCode: 0,
  timedOut: false,
  stdout: new Uint8Array(),
  stderr: new Uint8Array(),
  dropped: { stdout: 0, stderr: 0 },
}
