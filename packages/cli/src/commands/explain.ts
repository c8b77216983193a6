import { adviseSkill } from '@repertoire/core/authoring'
import type { Command } from 'commander'
import type { Context, ExitCode, Finish } from '../context.ts'
import { shownConfiguration, switchedOff } from '../output/configuration.ts'
import { printFindings } from '../output/diagnostics.ts'
import { toJson } from '../output/json.ts'
import { paragraphs, visibleName } from '../output/text.ts'
import { jsonOption, repeatableOption } from './options.ts'
import { type OpenedSkills, type SourceOptions, addSourceOptions, openSkills } from './skill-sources.ts'
import { type ViewerOptions, addViewerOptions, viewerOf } from './viewer.ts'

interface ExplainOptions extends SourceOptions, ViewerOptions {
  readonly tool?: readonly string[]
  readonly json?: true
}

const HELP = `
It names every SKILL.md of this name in the folders ROOT, or in the configured ones, and says which one is used. For the
others it says why not: a skill of a higher layer, a rule that hides it, a draft, a full list, or an error in the file.

Exit code: 0 if the skill is shown; 1 if not; 2 for a wrong command.

Examples:
  $ repertoire explain pdf
  $ repertoire explain pdf path/to/skills --agent coder
  $ repertoire explain pdf --tool read_file --tool runCommand`

const ELSEWHERE = '"repertoire list --all" names every skill that was found; with --recursive, also deeper ones.'

/** Adds `repertoire explain`. */
export function addExplain(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('explain')
    .summary('say why a skill is shown to an agent, or why not')
    .description('Say why an agent is shown a skill, or why it is not.')
    .argument('<NAME>')
  addViewerOptions(addSourceOptions(command))
    .addOption(repeatableOption('--tool <name>', 'a tool of your agent, to find rules that match none of them'))
    .addOption(jsonOption())
    .addHelpText('after', paragraphs(HELP, context.stdout))
    .action(async (name: string, roots: string[], options: ExplainOptions) =>
      finish(await explain(name, roots, options, context)),
    )
}

async function explain(
  name: string,
  rootArguments: readonly string[],
  options: ExplainOptions,
  context: Context,
): Promise<ExitCode> {
  const { stdout } = context
  const opened = await openSkills(rootArguments, options, context)
  const { repertoire, problems } = opened
  const configuration = shownConfiguration(opened.configuration)
  await readRules(name, opened)
  const explained = repertoire.explain(name, { viewer: viewerOf(options), hostTools: options.tool })
  const off = switchedOff(opened.configuration, context)
  const explanation =
    off === undefined ? explained : { ...explained, text: `"${visibleName(name)}" is not shown. ${off}` }
  const [first = '', ...rest] = explanation.text.split('\n')
  const isUnknown = off === undefined && explained.verdict === 'unknown'
  const text = `${[stdout.paint.bold(first), ...rest, ...(isUnknown ? [ELSEWHERE] : [])].join('\n')}\n`
  await (options.json ? stdout.write(toJson({ ...explanation, configuration })) : stdout.print(text))
  await printFindings(problems, context, 'after')
  return explanation.verdict === 'shown' ? 0 : 1
}

/** Reads the rules of the skill in use for commands: only then an explanation can name those that permit nothing. */
async function readRules(name: string, { repertoire: { catalog } }: OpenedSkills): Promise<void> {
  if (!catalog.has(name)) return
  const { manifest, folder } = catalog.get(name)
  await adviseSkill({ manifest, diagnostics: [] }, folder)
}
