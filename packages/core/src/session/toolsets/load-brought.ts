import { quoteName } from '@repertoire/skill-md/internal'
import { failureText } from '../refusal.ts'
import type { SessionContext } from '../context.ts'
import type { ActiveSkill } from '../state/state.ts'
import { reportUntrusted } from './bring.ts'

/** Whether any of the active skills brings tools. */
export function bringsTools(active: readonly ActiveSkill[]): boolean {
  return active.some(({ toolsets }) => toolsets !== undefined)
}

/**
 * Loads what active skills bring and this process has not loaded yet: a session that goes on in another process. What
 * cannot be loaded is reported, and its tools are not there. Never rejects.
 */
export async function loadBrought(
  context: Pick<SessionContext, 'toolsets' | 'reportProblem'>,
  active: readonly ActiveSkill[],
): Promise<void> {
  await Promise.all(active.map((skill) => loadOne(context, skill)))
}

async function loadOne(context: Pick<SessionContext, 'toolsets' | 'reportProblem'>, skill: ActiveSkill): Promise<void> {
  const { toolsets: references, name } = skill
  if (references === undefined || context.toolsets.loaded(skill) !== undefined) return
  if (!context.toolsets.trusts(skill)) {
    reportUntrusted(context, skill, references)
    return
  }
  try {
    await context.toolsets.load(skill, references)
  } catch (error) {
    context.reportProblem({
      code: 'TOOLSETS_NOT_LOADED',
      skill: name,
      message: `The tools that the active skill ${quoteName(name)} brings are not there any more. ${failureText(error)}`,
      cause: error,
    })
  }
}
