import type { ListingCuts, ListingDetail, Repertoire, SessionProblem, StepView } from '@repertoire/core'
import { openAdapterSession } from '@repertoire/core/adapter'
import type { Command } from 'commander'
import type { Context, ExitCode, Finish } from '../context.ts'
import { type ShownConfiguration, settingsText, shownConfiguration, switchedOff } from '../output/configuration.ts'
import { SHOWN_DIAGNOSTICS, diagnosticCounts, diagnosticsText } from '../output/diagnostics.ts'
import { escapeJson, toJson } from '../output/json.ts'
import { count, visible } from '../output/text.ts'
import { jsonOption, repeatableOption } from './options.ts'
import { UsageError } from '../usage-error.ts'
import { type SourceOptions, addSourceOptions, isAboutRoot, openSkills } from './skill-sources.ts'
import { type ViewerOptions, addViewerOptions, viewerOf } from './viewer.ts'

interface PromptOptions extends SourceOptions, ViewerOptions {
  readonly tool?: readonly string[]
  readonly json?: true
}

const HELP = `
Without a ROOT, a folder of skills, the configured folders are searched.
It prints the part of the system prompt, then the skill tools as JSON. Stderr says what was cut to fit the budget.

Exit code: 0, even if something was cut; 1 if a ROOT cannot be searched; 2 for a wrong command.

Examples:
  $ repertoire prompt
  $ repertoire prompt path/to/skills --style section --budget 1%
  $ repertoire prompt --agent coder --tool Bash --tool Read`

/** Adds `repertoire prompt`. */
export function addPrompt(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('prompt')
    .summary('print what a model is shown of the skills')
    .description('Print what a model is shown of the skills before it activates one, byte for byte.')
  addViewerOptions(addSourceOptions(command))
    .addOption(
      repeatableOption(
        '--tool <name>',
        'a tool of your agent; if one reads files or runs commands, the list has paths',
      ),
    )
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action(async (roots: string[], options: PromptOptions) => finish(await prompt(roots, options, context)))
}

async function prompt(given: readonly string[], options: PromptOptions, context: Context): Promise<ExitCode> {
  const { stdout, stderr, folder } = context
  const opened = await openSkills(given, options, context)
  if (opened === undefined) return 2
  const { repertoire, roots, problems } = opened
  const configuration = shownConfiguration(opened.configuration, roots.length === 0)
  const reported: SessionProblem[] = []
  const view = await viewOf(repertoire, options, (problem) => void reported.push(problem))
  await stdout.write(options.json ? viewJson(view, configuration) : viewText(view, stdout.isTerminal))
  const diagnostics = [...problems, ...repertoire.catalog.diagnostics]
  const failed = diagnostics.some((diagnostic) => isAboutRoot(diagnostic, roots))
  const off = switchedOff(opened.configuration, context)
  const viewNotes = [
    ...cutsText(view.cuts),
    ...(view.tools.length === 0 ? ['No skill is visible, so the model is shown nothing.'] : []),
    ...(failed ? [] : [diagnosticCounts(diagnostics)]),
    ...settingsText(configuration, folder).split('\n'),
  ].filter((line) => line !== '')
  const notes = off === undefined ? viewNotes : [off]
  const { paint } = stderr
  for (const { code, message } of reported) {
    if (!NOTED.has(code)) await stderr.write(`${paint.yellow(code)} ${visible(message)}\n`)
  }
  if (failed) await stderr.write(diagnosticsText(problems, { paint, folder, limit: SHOWN_DIAGNOSTICS }))
  if (!options.json && notes.length > 0) await stderr.write(`${notes.map(visible).join('\n')}\n`)
  return failed ? 1 : 0
}

/** @throws {UsageError} one of the tools cannot be the host's, such as one with the name of a skill tool */
async function viewOf(
  repertoire: Repertoire,
  options: PromptOptions,
  onProblem: (problem: SessionProblem) => void,
): Promise<StepView> {
  try {
    const session = openAdapterSession(repertoire, { ...viewerOf(options), onProblem })
    return await session.step({ tools: options.tool ?? [] })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError(`--tool: ${error.message}`)
  }
}

function viewJson(view: StepView, configuration: ShownConfiguration): string {
  const { tools, cuts } = view
  return toJson({ system: view.system(undefined) ?? '', tools, cuts, configuration })
}

/** Problems that the notes on stderr tell of. */
const NOTED: ReadonlySet<string> = new Set<SessionProblem['code']>(['NO_SKILLS', 'SKILL_NOT_LOADED'])

/** Byte for byte if it is piped; on a terminal, control characters are escaped. */
function viewText(view: StepView, isTerminal: boolean): string {
  const { tools } = view
  const text = view.system(undefined) ?? ''
  const shown = isTerminal ? text.split('\n').map(visible).join('\n') : text
  const json = tools.length === 0 ? '' : escapeJson(JSON.stringify(tools, undefined, 2))
  return [shown, json]
    .filter((part) => part !== '')
    .map((part) => `${part}\n`)
    .join('\n')
}

function cutsText({ details, shortened, withoutDescription, dropped, tokens, budget }: ListingCuts): readonly string[] {
  const parts = [
    ...(details.length > 0 ? [`without ${details.map((detail) => DETAILS[detail]).join(', ')}`] : []),
    ...(shortened.length > 0 ? [`${count(shortened.length, 'description')} shortened`] : []),
    ...(withoutDescription.length > 0 ? [`${count(withoutDescription.length, 'skill')} listed by name alone`] : []),
    ...(dropped.length > 0 ? [`${count(dropped.length, 'skill')} not listed: ${dropped.join(', ')}`] : []),
  ]
  if (tokens === undefined || budget === undefined) return parts
  const size = `About ${tokens.toLocaleString('en')} of ${budget.toLocaleString('en')} tokens`
  return [[size, ...parts].join(' · ')]
}

/** What a list can do without, in the words of the note on stderr. */
const DETAILS: Readonly<Record<ListingDetail, string>> = {
  'white-space': 'white space',
  arguments: '`args` in the schemas',
  locations: 'locations',
}
