import process from 'node:process'
import { execa } from 'execa'
import { contained, type ContainmentPrograms } from './contained.ts'
import { findProgram } from './find-program.ts'

/** Wraps a command so that all that it starts ends with it. */
export type Wrap = (command: readonly string[]) => readonly [string, ...string[]]

/** The first process of a namespace gets no signals that it does not handle: so it is a shell that waits for the script. */
const FIRST = '"$@"; exit "$?"'
const PROBE_MS = 5_000
/** Root needs no user namespace, and in one it would not be root any more. */
const VARIANTS = [['--mount-proc'], ['--user', '--map-current-user', '--mount-proc']]

/** What ends every process that a command starts, if this system has it. It is tried, not looked for. */
export async function findWrap(): Promise<Wrap | undefined> {
  if (process.platform !== 'linux') return undefined
  const [setpriv, sh, unshare] = ['setpriv', 'sh', 'unshare'].map((name) => findProgram(name))
  if (setpriv === undefined || sh === undefined || unshare === undefined) return undefined
  const programs: ContainmentPrograms = { setpriv, sh, unshare }
  for (const options of VARIANTS) {
    const wrap: Wrap = (command) => contained(programs, { unshare: options }, [sh, '-c', FIRST, 'sh', ...command])
    const [file, ...args] = wrap([sh, '-c', ':'])
    const { exitCode } = await execa(file, args, { reject: false, timeout: PROBE_MS, stdio: 'ignore' })
    if (exitCode === 0) return wrap
  }
  return undefined
}
