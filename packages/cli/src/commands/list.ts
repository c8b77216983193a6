import { chooseInterpreter, inspectDemands } from '@repertoire/core/authoring'
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
  readonly scripts?: true
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
    .option('-s, --scripts', 'also list the scripts of each skill, with the interpreter that each is run with')
  addSourceOptions(command)
    .addOption(jsonOption())
    .addHelpText('after', paragraphs(HELP, context.stdout))
    .action(async (roots: string[], options: ListOptions) => finish(await list(roots, options, context)))
}

async function list(named: readonly string[], options: ListOptions, context: Context): Promise<ExitCode> {
  const { stdout, folder } = context
  const { all = false, recursive = false } = options
  const opened = await openSkills(named, options, context)
  const { configuration, sources, findings: diagnostics, isRootLost } = opened
  const { catalog } = opened.repertoire
  const rows = await Promise.all(rowsOf(catalog, all).map(async (row) => (options.scripts ? withScripts(row) : row)))
  if (options.json) {
    const shown = { diagnostics, configuration: shownConfiguration(configuration) }
    await stdout.write(toJson({ skills: rows.map(skillJson), ...shown }))
  } else {
    const searchedFolders = sources.flatMap(({ places = [] }) => places)
    const style = { catalog, diagnostics, searchedFolders, recursive, all, folder, output: stdout }
    const off = switchedOff(configuration, context)
    await stdout.print(off === undefined ? listText(rows, style) : `${off}\n`)
    await printFindings(diagnostics, context, 'after')
  }
  return isRootLost ? 1 : 0
}

/** Adds the scripts of a skill. It is not known whether a runner has the interpreter, or a script what it needs. */
async function withScripts(row: ListedRow): Promise<ListedRow> {
  const { manifest, folder } = row.skill
  const { scripts: paths } = await inspectDemands({ manifest, diagnostics: [] }, folder)
  const scripts = paths.map(async (path) => {
    const read = folder.read(path).then((bytes) => chooseInterpreter(path, bytes))
    const chosen = await read.catch((error: Error) => ({ problem: error.message }))
    return 'problem' in chosen ? { path, ...chosen } : { path, interpreter: [chosen.name, ...chosen.args].join(' ') }
  })
  return { ...row, scripts: await Promise.all(scripts) }
}

function skillJson({ skill, shadowedBy, refused, scripts }: ListedRow) {
  const { name, manifest, location, layer } = skill
  return {
    name,
    description: manifest.description,
    location,
    layer,
    shadowedBy: shadowedBy?.location,
    refused,
    scripts,
    ...(manifest.status === 'active' ? {} : { status: manifest.status }),
  }
}
