import type { InstallPlan, InstallResult } from '@repertoire/library'
import type { Context, ExitCode } from '../context.ts'
import { printFindings } from '../output/diagnostics.ts'
import { createFetchProgress, type FetchProgress } from '../output/fetch-progress.ts'
import { planJson, planText, resultText } from '../output/install-plan.ts'
import { toJson } from '../output/json.ts'
import { count, visible } from '../output/text.ts'
import { agrees } from './ask-yes.ts'
import type { WriteFlags } from './project-options.ts'

/** What is asked, in the command's own word: "Install 2 skills?". */
const VERBS = { add: 'Install', install: 'Install', update: 'Update', remove: 'Remove' } as const

/** Makes a plan and shows it, with what it fetches; asks if there is something to agree to, and carries it out. */
export async function finishPlan(
  make: (progress: FetchProgress) => Promise<InstallPlan>,
  options: WriteFlags,
  context: Context,
): Promise<ExitCode> {
  const { stdout } = context
  const progress = createFetchProgress(context.stderr)
  const plan = await make(progress).finally(() => progress.end())
  if (!options.json) await show(plan, context)
  if (plan.refused !== undefined) return refuse(plan, plan.refused, options, context)
  const agreed = options.dryRun || !plan.writes ? undefined : await agree(plan, options, context)
  const { applyPlan } = await import('@repertoire/library')
  const result = agreed === true ? await applyPlan(plan) : undefined
  if (options.json) await stdout.write(toJson(planJson(plan, result)))
  else await stdout.print(resultText(plan, result, { dryRun: options.dryRun === true, agreed }, stdout.paint))
  return exitCode(plan, result, options.dryRun === true)
}

/** A scanner has stopped it: no question is asked. */
async function refuse(
  plan: InstallPlan,
  message: string,
  { json }: WriteFlags,
  { stdout, stderr }: Context,
): Promise<ExitCode> {
  const error = { code: 'SCAN_REFUSED', message }
  if (json) await stdout.write(toJson({ ...planJson(plan, undefined), error }))
  await stderr.print(`${stderr.paint.red('error:')} ${visible(message)}\n`)
  return 1
}

async function show(plan: InstallPlan, context: Context): Promise<void> {
  const { stdout, folder } = context
  await stdout.print(planText(plan, { paint: stdout.paint, folder }))
  await printFindings(plan.diagnostics, context, 'before')
}

/** Whether it may be carried out. What is in the lock was agreed to, and who names what is removed has said it. */
async function agree(plan: InstallPlan, { yes }: WriteFlags, context: Context): Promise<boolean> {
  if (yes || !plan.brings) return true
  const due = plan.skills.filter(({ action }) => action !== 'keep')
  return agrees(`${VERBS[plan.kind]} ${count(due.length, 'skill')}?`, context)
}

function exitCode(plan: InstallPlan, result: InstallResult | undefined, dryRun: boolean): ExitCode {
  const isKept = plan.skills.some(({ action, because }) => action === 'keep' && because !== 'unchanged')
  if (isKept || (result?.problems.length ?? 0) > 0) return 1
  return result === undefined && plan.writes && !dryRun ? 1 : 0
}
