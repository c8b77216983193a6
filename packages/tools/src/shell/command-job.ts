import type { ScriptFile, ScriptJob, ScriptLimits } from '@repertoire/core'

/** What every command of a tool has. */
export interface CommandSettings {
  readonly network: boolean
  readonly limits: ScriptLimits
  readonly environment: Readonly<Record<string, string>>
}

/** Who reads commands. */
export const SHELL = 'bash'

const SCRIPT = 'run.sh'
const COMMAND = 'command.sh'

/** Goes to the folder with the user's files, and reads the command there. */
const START = `cd -- "\${WORKSPACE_DIR:?this runner shows no workspace}" || exit 126
. "$SKILL_DIR/${COMMAND}"
`

/** A command as a job, in a separate file, so that the shell's errors show only its lines. */
export function commandJob(
  command: string,
  { network, limits, environment }: CommandSettings,
  signal: AbortSignal,
): ScriptJob {
  return {
    interpreter: SHELL,
    interpreterArgs: [],
    script: SCRIPT,
    args: [],
    files: [file(SCRIPT, START), file(COMMAND, command)],
    environment,
    network,
    limits,
    signal,
  }
}

function file(path: string, text: string): ScriptFile {
  return { path, bytes: new TextEncoder().encode(text), executable: false }
}
