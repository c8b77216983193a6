import type { ForkRunner, Outcome, Repertoire, ScriptOutput, Session, SessionOptions } from '@repertoire/core'
import { openAdapterSession } from '@repertoire/core/adapter'

/** A skill that is to be executed, or a script of it that is to be run. */
export interface RunRequest {
  readonly repertoire: Repertoire
  readonly skill: string
  /** A script of the skill. Absent: the skill itself is executed. */
  readonly script: string | undefined
  /** Of the script, or of the skill if it is executed. */
  readonly args: readonly string[]
  readonly session: Pick<SessionOptions, 'consent' | 'cwd' | 'onProblem'>
  readonly signal: AbortSignal
}

/**
 * Runs it in a session, as a host does for a person: the skill is activated, with its question and its hooks, and its
 * script is called by the tool of the session. A skill that asks for a sub-agent has one whose only call is the script.
 * @throws the signal's reason
 */
export async function runSkill(request: RunRequest): Promise<Outcome> {
  const { repertoire, skill, script, args, signal } = request
  const session = openAdapterSession(repertoire, { consent: { timeout: Infinity }, hostTools: [], ...request.session })
  const callScript = (owner: Session, aborted: AbortSignal): Promise<Outcome> =>
    owner.runScript(script!, { skill, args, id: 'run', signal: aborted })
  try {
    if (script === undefined) {
      return await session.activate(skill, { args: args.length === 0 ? undefined : args.join(' '), signal })
    }
    let inFork: Outcome | undefined
    const fork: ForkRunner = async (child) => {
      inFork = await callScript(child.session, child.signal)
      return ''
    }
    const activated = await session.activate(skill, { signal, fork })
    if (inFork !== undefined) return inFork
    return activated.ok ? await callScript(session, signal) : activated
  } finally {
    await session.end()
  }
}

/** Whether what came of it is a script's output. */
export function isScriptOutput(value: unknown): value is ScriptOutput {
  return typeof value === 'object' && value !== null && 'interpreter' in value && 'stdout' in value && 'end' in value
}
