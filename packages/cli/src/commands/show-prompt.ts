import type { ListingCuts, SessionProblem } from '@repertoire/core'
import { openAdapterSession } from '@repertoire/core/adapter'
import type { Context, ExitCode } from '../context.ts'
import { switchedOff } from '../output/configuration.ts'
import { diagnosticCounts, printFindings } from '../output/diagnostics.ts'
import { escapeJson, toJson } from '../output/json.ts'
import { count, visible } from '../output/text.ts'
import { UsageError } from '../usage-error.ts'
import { type SourceOptions, openSkills } from './skill-sources.ts'
import { type ViewerOptions, viewerOf } from './viewer.ts'

/** The options of `repertoire show --prompt`. */
export interface PromptOptions extends SourceOptions, ViewerOptions {
  readonly tool?: readonly string[]
  readonly json?: true
}

/** Problems that the notes on stderr tell of. */
const NOTED: ReadonlySet<string> = new Set<SessionProblem['code']>(['NO_SKILLS', 'SKILL_NOT_LOADED'])

/**
 * Prints what a model reads of the skills, byte for byte if it is piped.
 * @throws {UsageError} one of the tools cannot be the host's, such as one with the name of a skill tool
 */
export async function showPrompt(
  given: readonly string[],
  options: PromptOptions,
  context: Context,
): Promise<ExitCode> {
  const { stdout, stderr } = context
  const { repertoire, configuration, findings, problems, isRootLost } = await openSkills(given, options, context)
  const reported: SessionProblem[] = []
  const onProblem = (problem: SessionProblem): void => void reported.push(problem)
  const session = openAdapterSession(repertoire, { ...viewerOf(options), onProblem })
  const view = await session.step({ tools: options.tool ?? [] }).catch((error: unknown) => {
    throw error instanceof TypeError ? new UsageError(`--tool: ${error.message}`) : error
  })
  const { tools, cuts } = view
  const system = view.system(undefined) ?? ''
  if (options.json) {
    await stdout.write(toJson({ system, tools, cuts }))
    return isRootLost ? 1 : 0
  }
  const shown = stdout.isTerminal ? system.split('\n').map(visible).join('\n') : system
  const json = tools.length === 0 ? '' : escapeJson(JSON.stringify(tools, undefined, 2))
  await stdout.write([shown, json].flatMap((part) => (part === '' ? [] : [`${part}\n`])).join('\n'))
  const { paint } = stderr
  for (const { code, message } of reported)
    if (!NOTED.has(code)) await stderr.print(`${paint.yellow(code)} ${visible(message)}\n`)
  if (isRootLost) await printFindings(problems, context, 'before')
  const off = switchedOff(configuration, context)
  const empty = tools.length === 0 ? 'No skill is visible, so the model reads nothing.' : ''
  const notes = off === undefined ? [cutsText(cuts), empty, isRootLost ? '' : diagnosticCounts(findings)] : [off]
  await stderr.print(notes.flatMap((note) => (note === '' ? [] : [`${visible(note)}\n`])).join(''))
  return isRootLost ? 1 : 0
}

function cutsText({ details, shortened, withoutDescription, dropped, tokens, budget }: ListingCuts): string {
  const size = `About ${tokens?.toLocaleString('en')} of ${budget?.toLocaleString('en')} tokens`
  return [
    ...(tokens === undefined ? [] : [size]),
    ...(details.length > 0
      ? [`without ${details.join(', ').replace('arguments', '`args` in the schemas').replace('-', ' ')}`]
      : []),
    ...(shortened.length > 0 ? [`${count(shortened.length, 'description')} shortened`] : []),
    ...(withoutDescription.length > 0 ? [`${count(withoutDescription.length, 'skill')} listed by name alone`] : []),
    ...(dropped.length > 0 ? [`${count(dropped.length, 'skill')} not listed: ${dropped.join(', ')}`] : []),
  ].join(' · ')
}
