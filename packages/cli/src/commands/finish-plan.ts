import { isSkillError } from '@repertoire/core'
import type { InstallPlan, InstallResult } from '@repertoire/library'
import type { Context, ExitCode } from '../context.ts'
import { SHOWN_DIAGNOSTICS, diagnosticsText } from '../output/diagnostics.ts'
import { createFetchProgress, type FetchProgress } from '../output/fetch-progress.ts'
import { planJson, planText, resultText } from '../output/install-plan.ts'
import { toJson } from '../output/json.ts'
import { count, visible } from '../output/text.ts'
import { UsageError } from '../usage-error.ts'
import { askYes } from './ask-yes.ts'
import { missingPackage, missingText } from './optional-packages.ts'
import type { WriteFlags } from './project-options.ts'

/** What is asked, in the command's own word: "Install 2 skills?". */
const VERBS = { add: 'Install', install: 'Install', update: 'Update', remove: 'Remove' } as const

/** Makes a plan, with what it fetches shown, shows it, asks where there is something to agree to, and carries it out. */
export async function finishPlan(
  make: (progress: FetchProgress) => Promise<InstallPlan>,
  options: WriteFlags,
  context: Context,
): Promise<ExitCode> {
  const { stdout } = context
  try {
    const progress = createFetchProgress(context.stderr)
    const plan = await make(progress).finally(() => progress.end())
    if (!options.json) await show(plan, context)
    if (plan.refused !== undefined) return await refuse(plan, plan.refused, options, context)
    const agreed = options.dryRun || !plan.writes ? undefined : await agree(plan, options, context)
    const { applyPlan } = await import('@repertoire/library')
    const result = agreed === true ? await applyPlan(plan) : undefined
    if (options.json) await stdout.write(toJson(planJson(plan, result)))
    else await stdout.write(resultText(plan, result, { dryRun: options.dryRun === true, agreed }, stdout.paint))
    return exitCode(plan, result, options.dryRun === true)
  } catch (error) {
    return reportError(error, options.json === true, context)
  }
}

/** A scanner has stopped it: nobody is asked. */
async function refuse(
  plan: InstallPlan,
  message: string,
  { json }: WriteFlags,
  { stdout, stderr }: Context,
): Promise<ExitCode> {
  const error = { code: 'SCAN_REFUSED', message }
  if (json) await stdout.write(toJson({ ...planJson(plan, undefined), error }))
  await stderr.write(`${stderr.paint.red('error:')} ${visible(message)}\n`)
  return 1
}

/**
 * Reports what a library call has refused.
 * @throws {UsageError} if it is about the arguments; and whatever is not its error, unchanged
 */
export async function reportError(error: unknown, json: boolean, { stdout, stderr }: Context): Promise<ExitCode> {
  if (!isSkillError(error)) throw error
  const { code } = error
  const missing = missingPackage(error)
  const message = missing === undefined ? error.message : missingText(missing)
  if (code === 'ORIGIN_INVALID') throw new UsageError(message)
  if (json) await stdout.write(toJson({ error: { code, message } }))
  await stderr.write(`${stderr.paint.red('error:')} ${visible(message)}\n`)
  return 1
}

async function show(plan: InstallPlan, { stdout, stderr, folder }: Context): Promise<void> {
  await stdout.write(planText(plan, { paint: stdout.paint, columns: stdout.columns, folder }))
  const details = diagnosticsText(plan.diagnostics, { paint: stderr.paint, folder, limit: SHOWN_DIAGNOSTICS, more: '' })
  if (details !== '') await stderr.write(`${details}\n`)
}

/** Whether it may be carried out. What is in the lock already was agreed to, and who names what is removed has said it. */
async function agree(plan: InstallPlan, { yes }: WriteFlags, context: Context): Promise<boolean> {
  if (yes || !plan.brings) return true
  const due = plan.skills.filter(({ action }) => action !== 'keep')
  const answer = await askYes(`${VERBS[plan.kind]} ${count(due.length, 'skill')}?`, context)
  if (answer === undefined) {
    await context.stderr.write('There is no terminal to ask at. --yes agrees to what is shown.\n')
  }
  return answer === true
}

function exitCode(plan: InstallPlan, result: InstallResult | undefined, dryRun: boolean): ExitCode {
  const isKept = plan.skills.some(({ because }) => because === 'edited' || because === 'gone')
  if (isKept || (result?.problems.length ?? 0) > 0) return 1
  return result === undefined && plan.writes && !dryRun ? 1 : 0
}
