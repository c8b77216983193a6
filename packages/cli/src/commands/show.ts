import type { Catalog, Profile, Skill } from '@repertoire/core'
import { groupResources, digestFolder, parseSkill } from '@repertoire/core/authoring'
import type { Command } from 'commander'
import { basename, dirname } from 'node:path'
import type { Context, ExitCode, Finish } from '../context.ts'
import { switchedOff } from '../output/configuration.ts'
import { printFindings } from '../output/diagnostics.ts'
import { toJson } from '../output/json.ts'
import { type ShownSkill, skillJson, skillText } from '../output/shown-skill.ts'
import { paragraphs, visibleName } from '../output/text.ts'
import { UsageError } from '../usage-error.ts'
import { jsonOption, repeatableOption } from './options.ts'
import { type PromptOptions, showPrompt } from './show-prompt.ts'
import { type OpenedSkills, addSourceOptions, openSkills } from './skill-sources.ts'
import { addViewerOptions } from './viewer.ts'

interface ShowOptions extends PromptOptions {
  readonly prompt?: true
  readonly body?: true
}

const HELP = `
A ROOT is a folder of skills; without one, your configured folders are searched. The digest covers every file, hidden ones
too: consent holds for this digest only.

With --prompt and no NAME, it prints what a model reads of the skills before it uses one: the part of the system prompt,
then the tools as JSON. The options below --prompt are for it alone.

Exit code: 0; 1 if there is no such skill or it cannot be read; 2 for a wrong command.

Examples:
  $ repertoire show pdf --body
  $ repertoire show --prompt path/to/skills --context-window 32000`

/** Adds `repertoire show`. */
export function addShow(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('show')
    .summary('show one skill, or what a model reads of all of them')
    .description('Show one skill: its fields, rights, files and digest. Or show what a model reads of all skills.')
    .argument('[NAME]')
  addSourceOptions(command)
    .option('-b, --body', 'also show its instructions')
    .addOption(jsonOption())
    .option('--prompt', 'show what a model reads of all skills')
    .addOption(repeatableOption('--tool <name>', 'a tool of your agent, such as Bash'))
  addViewerOptions(command)
    .addHelpText('after', paragraphs(HELP, context.stdout))
    .action(async (name: string | undefined, roots: string[], options: ShowOptions) =>
      finish(
        await (options.prompt
          ? showPrompt(name === undefined ? [] : [name, ...roots], options, context)
          : show(name, roots, options, context)),
      ),
    )
}

async function show(
  name: string | undefined,
  given: readonly string[],
  options: ShowOptions,
  context: Context,
): Promise<ExitCode> {
  const { stdout, folder } = context
  if (name === undefined) throw new UsageError('Name a skill, or give --prompt for what a model reads of all of them.')
  const opened = await openSkills(given, options, context)
  const { repertoire, configuration, problems } = opened
  const { catalog } = repertoire
  const missing = catalog.diagnostics.filter(
    ({ code, path }) => code === 'LOCKED_SKILL_MISSING' && basename(path) === name,
  )
  await printFindings([...problems, ...missing], context, 'before')
  const skill = findSkill(catalog, name)
  if (skill === undefined) throw notFound(name, given, opened, context)
  const shown = await readShown(skill, catalog, configuration.profile)
  const withBody = options.body === true
  if (options.json) {
    await stdout.write(toJson(skillJson(shown, withBody)))
    return 0
  }
  await stdout.print(skillText(shown, { paint: stdout.paint, folder, withBody }))
  await printFindings(shown.diagnostics, context, 'after')
  return 0
}

/** The skill in use; otherwise one that is draft, disabled or not admitted, since it can still be shown. */
function findSkill(catalog: Catalog, name: string): Skill | undefined {
  if (catalog.has(name)) return catalog.get(name)
  return [...catalog.inactive, ...catalog.refused.map(({ skill }) => skill)].find((skill) => skill.name === name)
}

/** The error for a name that no skill in use has. */
export function notFound(
  name: string,
  roots: readonly string[],
  { repertoire, configuration }: OpenedSkills,
  context: Context,
  exitCode = 1,
): UsageError {
  const [first = ''] = repertoire.explain(name).text.split('\n')
  const command = ['repertoire explain', name, ...roots].map(visibleName).join(' ')
  const message = switchedOff(configuration, context) ?? `${first} Run "${command}" for why.`
  return new UsageError(message, { code: 'SKILL_NOT_FOUND', exitCode })
}

async function readShown(skill: Skill, catalog: Catalog, profile: Profile): Promise<ShownSkill> {
  const { folder, path, origin, manifest: listed } = skill
  const bytes = await folder.readManifest()
  const place = { path, fileName: basename(path), folderName: basename(dirname(path)), profile }
  const { manifest = listed, body, diagnostics } = await parseSkill(bytes, place)
  const listing = await folder.list()
  const { files, refused, truncated, withheld } = listing
  const differs = catalog.diagnostics.filter((each) => each.code === 'LOCK_DIFFERS' && each.path === path)
  return {
    skill,
    // The origin is that of the lock: the file only says what its author claims.
    manifest: origin === undefined ? manifest : { ...manifest, source: listed.source, createdBy: listed.createdBy },
    body,
    digest: await digestFolder(folder, listing, bytes),
    resources: groupResources(files),
    unavailable: [
      ...[...refused, ...withheld.refused].map((each) => ({ path: each.path, reason: each.reason })),
      ...withheld.files.map((each) => ({ path: each.path, reason: 'hidden' })),
      ...(truncated ? [{ path: '…', reason: 'more files than are listed' }] : []),
    ],
    diagnostics: [...diagnostics, ...differs],
  }
}
