import type { Command } from 'commander'
import type { Context, ExitCode, Finish } from '../context.ts'
import { shownConfiguration, switchedOff } from '../output/configuration.ts'
import { printFindings } from '../output/diagnostics.ts'
import { toJson } from '../output/json.ts'
import { type ListedRow, listText, rowsOf } from '../output/skill-list.ts'
import { paragraphs } from '../output/text.ts'
import { jsonOption } from './options.ts'
import { type SourceOptions, addSourceOptions, openSkills } from './skill-sources.ts'

interface ListOptions extends SourceOptions {
  readonly all?: true
  readonly json?: true
}

const HELP = `
Without a ROOT, skills are looked for in .agents/skills, .repertoire/skills and .claude/skills, here and in your home
folder, in the npm packages of package.json, and where your configuration says. --all says why others are not used.

Exit code: 0, even if skills are broken ("validate" judges them); 1 if a ROOT cannot be searched; 2 for a wrong command.

Examples:
  $ repertoire list
  $ repertoire list path/to/skills --all
  $ repertoire list --json | jq -r '.skills[].name'`

/** Adds `repertoire list`. */
export function addList(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('list')
    .summary('list the skills that an agent is offered')
    .description('List the skills that an agent is offered.')
    .option('-a, --all', 'also list skills that are not used: shadowed, draft, disabled or not admitted')
  addSourceOptions(command)
    .addOption(jsonOption())
    .addHelpText('after', paragraphs(HELP, context.stdout))
    .action(async (roots: string[], options: ListOptions) => finish(await list(roots, options, context)))
}

async function list(named: readonly string[], options: ListOptions, context: Context): Promise<ExitCode> {
  const { stdout, folder } = context
  const opened = await openSkills(named, options, context)
  const { repertoire, configuration, sources, findings: diagnostics } = opened
  const { catalog } = repertoire
  const all = options.all === true
  const rows = rowsOf(catalog, all)

  if (options.json) {
    await stdout.write(
      toJson({ skills: rows.map(skillJson), diagnostics, configuration: shownConfiguration(configuration) }),
    )
  } else {
    const searchedFolders = sources.flatMap(({ places = [] }) => places)
    const recursive = options.recursive === true
    const style = { catalog, diagnostics, searchedFolders, recursive, all, folder, output: stdout }
    const off = switchedOff(configuration, context)
    await stdout.print(off === undefined ? listText(rows, style) : `${off}\n`)
    await printFindings(diagnostics, context, 'after')
  }
  return opened.isRootLost ? 1 : 0
}

function skillJson({ skill, shadowedBy, refused }: ListedRow) {
  const { name, manifest, location, layer } = skill
  return {
    name,
    description: manifest.description,
    location,
    layer,
    shadowedBy: shadowedBy?.location,
    refused,
    ...(manifest.status === 'active' ? {} : { status: manifest.status }),
  }
}
