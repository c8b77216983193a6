import type { ScriptJob, ScriptLimits } from '@repertoire/core'

/** What every command of a tool has. */
export interface CommandSettings {
  readonly network: boolean
  readonly limits: ScriptLimits
  readonly environment: Readonly<Record<string, string>>
}

/** Who reads commands. */
export const SHELL = 'bash'

const SCRIPT = 'command.sh'

/**
 * A command as a job: a script of one file, which goes to the folder with the user's files first. That stands in the
 * same line, so that the numbers of lines in the shell's errors are those of the command.
 */
export function commandJob(
  command: string,
  { network, limits, environment }: CommandSettings,
  signal: AbortSignal,
): ScriptJob {
  const text = `cd -- "\${WORKSPACE_DIR:?this runner shows no workspace}" || exit 126; ${command}\n`
  return {
    interpreter: SHELL,
    interpreterArgs: [],
    script: SCRIPT,
    args: [],
    files: [{ path: SCRIPT, bytes: new TextEncoder().encode(text), executable: false }],
    environment,
    network,
    limits,
    signal,
  }
}
