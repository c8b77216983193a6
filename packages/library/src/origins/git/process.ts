import { spawn } from 'node:child_process'
import { devNull } from 'node:os'
import process, { kill, platform } from 'node:process'

/** A run of git. */
export interface GitJob {
  readonly args: readonly string[]
  readonly cwd: string
  /** The complete environment. */
  readonly env: Readonly<Record<string, string>>
  readonly input?: string
  /** The most bytes that it may write. */
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/** How git ended. */
export interface GitEnd {
  /** Undefined: it could not be started, or was ended. */
  readonly code: number | undefined
  readonly stdout: Buffer
  /** The beginning of what it said, for people. */
  readonly stderr: string
  /** Whether it wrote more than it may. It was ended then. */
  readonly isTooMuch: boolean
  /** Whether there is such a program. */
  readonly isMissing: boolean
}

const MAX_STDERR_CHARS = 4000
const HAS_GROUPS = platform !== 'win32'

/** Runs git without a shell, as the leader of a group of processes that is ended with it. @throws the signal's reason */
export async function runGit({ args, cwd, env, input, maxBytes, signal }: GitJob): Promise<GitEnd> {
  signal.throwIfAborted()
  const child = spawn('git', args, { cwd, env, detached: HAS_GROUPS, windowsHide: true, stdio: 'pipe' })
  const chunks: Buffer[] = []
  let length = 0
  let stderr = ''
  let isTooMuch = false
  let isMissing = false
  const end = (): void => endGroup(child.pid)
  child.stdout.on('data', (chunk: Buffer) => {
    length += chunk.length
    isTooMuch ||= length > maxBytes
    if (isTooMuch) end()
    else chunks.push(chunk)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    if (stderr.length < MAX_STDERR_CHARS) stderr += chunk.toString()
  })
  // It may have ended before it has read everything.
  child.stdin.on('error', () => {})
  child.stdin.end(input ?? '')
  signal.addEventListener('abort', end, { once: true })
  process.once('exit', end)
  try {
    const code = await new Promise<number | undefined>((resolve) => {
      child.once('error', (error: NodeJS.ErrnoException) => {
        isMissing = error.code === 'ENOENT'
        resolve(undefined)
      })
      child.once('close', (status) => resolve(status ?? undefined))
    })
    signal.throwIfAborted()
    return { code, stdout: Buffer.concat(chunks), stderr: stderr.slice(0, MAX_STDERR_CHARS), isTooMuch, isMissing }
  } finally {
    signal.removeEventListener('abort', end)
    process.off('exit', end)
    end()
  }
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    kill(HAS_GROUPS ? -pid : pid, 'SIGKILL')
  } catch {
    // The process group has ended.
  }
}

/** Variables of this process that a program needs to be found and to start. */
const INHERITED = ['PATH', 'TMPDIR', 'SYSTEMROOT', 'SystemRoot', 'COMSPEC', 'TEMP', 'TMP'] as const

/** What ssh needs to find keys, known hosts and an agent. */
const FOR_SSH = ['HOME', 'USER', 'LOGNAME', 'USERPROFILE', 'SSH_AUTH_SOCK'] as const

/** Settings that hold for every run, whatever the machine's or a repository's own say. */
const SETTINGS: readonly (readonly [string, string])[] = [
  ['protocol.allow', 'never'],
  ['core.hooksPath', devNull],
  ['core.fsmonitor', 'false'],
  ['core.askPass', ''],
  ['credential.helper', ''],
  ['http.followRedirects', 'false'],
  ['http.proxy', ''],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['fetch.unpackLimit', '1'],
  ['fetch.negotiationAlgorithm', 'noop'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
]

/**
 * Returns the complete environment of git: no configuration of the machine, no credentials, no questions, one protocol.
 * @param protocol undefined: none, so that nothing is asked
 * @param home a folder without anything in it; ssh alone sees the user's
 * @param settings what one origin needs beside; a token stands here, since arguments can be read by everybody
 */
export function gitEnvironment(
  protocol: string | undefined,
  home: string,
  settings: readonly (readonly [string, string])[] = [],
): Record<string, string> {
  const env: Record<string, string> = {
    HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: devNull,
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_SSH_VARIANT: 'ssh',
    GIT_ALLOW_PROTOCOL: protocol ?? '',
    GIT_PROTOCOL_FROM_USER: '0',
  }
  for (const name of [...INHERITED, ...(protocol === 'ssh' ? FOR_SSH : [])]) {
    const value = process.env[name]
    if (value !== undefined) env[name] = value
  }
  const all = [
    ...SETTINGS,
    ...(protocol === undefined ? [] : [[`protocol.${protocol}.allow`, 'always'] as const]),
    ...settings,
  ]
  env['GIT_CONFIG_COUNT'] = String(all.length)
  for (const [index, [key, value]] of all.entries()) {
    env[`GIT_CONFIG_KEY_${index}`] = key
    env[`GIT_CONFIG_VALUE_${index}`] = value
  }
  return env
}
