import { Buffer } from 'node:buffer'
import type { ScriptJob } from '@repertoire/core'
import { environmentOf } from '../script-environment.ts'

const BLOCK_BYTES = 512

/** Where a job's files are in the sandbox. */
export interface RemoteFolders {
  readonly root: string
  readonly skill: string
  readonly temporary: string
  readonly stdin: string
  readonly run: string
  readonly pid: string
}

export function remoteFolders(root: string): RemoteFolders {
  return {
    root,
    skill: `${root}/skill`,
    temporary: `${root}/tmp`,
    stdin: `${root}/stdin`,
    run: `${root}/run`,
    pid: `${root}/pid`,
  }
}

/**
 * The shell script that runs a job in the sandbox. A file, so that no argument is too long for a command line, and
 * quoted once. The output goes through files and comes back in base64: sandboxes return text, some merge streams, and a
 * flood must not cross the wire. `timeout` leads a group of processes, which is ended with the script.
 */
export function remoteScript(job: ScriptJob, at: RemoteFolders, workspace?: string): string {
  const { limits } = job
  const environment = environmentOf(job, { ...at, workspace })
  const words = commandLine([
    ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
    job.interpreter,
    ...job.interpreterArgs,
    `${at.skill}/${job.script}`,
    ...job.args,
  ])
  const root = commandLine([at.root])
  const executables = job.files.filter(({ executable }) => executable).map(({ path }) => `${at.skill}/${path}`)
  return `
cd ${root} || exit 0
finish() {
  echo "repertoire-report $1"
  cd / && chmod -R u+rwX ${root} && rm -rf ${root}
  exit 0
}
${workspace === undefined ? '' : `[ -d ${commandLine([workspace])} ] || finish 'missing workspace'\n`}command -v ${commandLine([job.interpreter])} >/dev/null 2>&1 || finish missing
${executables.length === 0 ? '' : `chmod u+x ${commandLine(executables)}`}
chmod -R a-w skill
seconds=${limits.timeout / 1_000}
timeout 0.5 true 2>/dev/null || seconds=${Math.ceil(limits.timeout / 1_000)}
limit="timeout -s KILL $seconds"
command -v timeout >/dev/null 2>&1 || limit=
keep() { head -c ${limits.maxOutputBytes} >"$1"; wc -c >"$1.rest"; }
run() {
  cd skill || exit
  ulimit -f ${Math.max(1, Math.floor(limits.maxFileBytes / BLOCK_BYTES))} 2>/dev/null
${limits.maxMemoryBytes === undefined ? '' : `  ulimit -d ${Math.max(1, Math.floor(limits.maxMemoryBytes / 1_024))} 2>/dev/null\n  [ "$(ulimit -s)" = unlimited ] || ulimit -s "$(ulimit -s)" 2>/dev/null\n`}  started=$(date +%s)
  $limit env -i PATH="$PATH" ${words} <${job.stdin === undefined ? '/dev/null' : commandLine([at.stdin])} 3>&- &
  echo "$!" >../pid
  wait "$!"
  echo "$?" >../code
  kill -KILL -"$(cat ../pid)" 2>/dev/null
  echo "$(($(date +%s) - started))" >../elapsed
}
{ run 2>&3 | keep out; } 3>&1 | keep err
code=$(cat code)
late=0
[ "$code" = 137 ] && [ "$(cat elapsed)" -ge ${Math.floor(limits.timeout / 1_000)} ] && late=1
report="$code $late $(cat out.rest) $(cat err.rest) $(wc -c <out) $(wc -c <err)
$(base64 <err)
-
$(base64 <out)"
finish "$report"
`
}

/** A command line that a POSIX shell reads as exactly these words. */
export function commandLine(words: readonly string[]): string {
  return words.map(quote).join(' ')
}

/** In single quotes nothing has a meaning but the quote itself. */
function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

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
 * Reads the report, or returns undefined if there is none. Where the client of the sandbox cut it off, what is left
 * is read, and the rest counts as dropped.
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
