import { type ScriptRunner, isSkillError } from '@repertoire/core'
import { openBubblewrapRunner, virtualRunner } from '@repertoire/runners'

/** A sandbox with the system's programs where that works, and the virtual shell elsewhere: a choice of the host's. */
export async function openRunner(project: string, report: (reason: string) => void): Promise<ScriptRunner> {
  try {
    return await openBubblewrapRunner({
      workspace: { path: project, access: 'write', protect: ['.git/hooks/', '.bashrc'] },
    })
  } catch (error) {
    if (!isSkillError(error)) throw error
    report(error.message)
    return virtualRunner()
  }
}
