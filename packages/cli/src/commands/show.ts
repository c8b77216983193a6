import { type Catalog, type Profile, type Skill, type SkillDocument, isSkillError } from '@repertoire/core'
import { groupResources, digestFolder, parseSkill } from '@repertoire/core/authoring'
import type { Command } from 'commander'
import { basename, dirname } from 'node:path'
import type { Context, ExitCode, Finish } from '../context.ts'
import { switchedOff } from '../output/configuration.ts'
import { SHOWN_DIAGNOSTICS, diagnosticsText } from '../output/diagnostics.ts'
import { toJson } from '../output/json.ts'
import { type ShownSkill, skillJson, skillText } from '../output/skill-card.ts'
import { visible } from '../output/text.ts'
import { jsonOption } from './options.ts'
import { type SourceOptions, addSourceOptions, openSkills, sourceProblems } from './skill-sources.ts'

interface ShowOptions extends SourceOptions {
  readonly body?: true
  readonly json?: true
}

const HELP = `
Without a ROOT, a folder of skills, the configured folders are searched.
The digest covers every file of the folder, also hidden ones. Consent holds for this digest only.

Exit code: 0; 1 if there is no such skill or its folder cannot be read; 2 for a wrong command.

Examples:
  $ repertoire show pdf
  $ repertoire show pdf path/to/skills --body
  $ repertoire show pdf --json | jq -r .digest`

/** Adds `repertoire show`. */
export function addShow(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('show')
    .summary('show one skill: its fields, rights, files and digest')
    .description('Show one skill as it would be activated: its fields, rights, files and digest.')
    .argument('<NAME>')
  addSourceOptions(command)
    .option('-b, --body', 'also show its instructions')
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action(async (name: string, roots: string[], options: ShowOptions) =>
      finish(await show(name, roots, options, context)),
    )
}

async function show(name: string, given: readonly string[], options: ShowOptions, context: Context): Promise<ExitCode> {
  const { stdout, stderr, folder } = context
  const opened = await openSkills(given, options, context)
  if (opened === undefined) return 2
  const { repertoire, configuration } = opened
  const { catalog } = repertoire
  const skill = findSkill(catalog, name)
  const missing = catalog.diagnostics.filter(
    (each) => each.code === 'LOCKED_SKILL_MISSING' && basename(each.path) === name,
  )
  const text = diagnosticsText([...sourceProblems(opened), ...missing], {
    paint: stderr.paint,
    folder,
    limit: SHOWN_DIAGNOSTICS,
  })
  if (text !== '') await stderr.write(`${text}\n`)
  if (skill === undefined) {
    await stderr.write(`${switchedOff(configuration, context) ?? notFound(catalog, name, given)}\n`)
    return 1
  }
  let shown: ShownSkill
  try {
    shown = await inspectSkill(skill, catalog, configuration.profile)
  } catch (error) {
    if (!isSkillError(error)) throw error
    await stderr.write(`${stderr.paint.red('error:')} ${visible(error.message)}\n`)
    return 1
  }
  const body = options.body === true
  const { paint, columns } = stdout
  await stdout.write(options.json ? toJson(skillJson(shown, body)) : skillText(shown, { paint, columns, folder, body }))
  const details = diagnosticsText(shown.diagnostics, { paint: stderr.paint, folder, limit: SHOWN_DIAGNOSTICS })
  if (!options.json && details !== '') await stderr.write(`\n${details}`)
  return 0
}

/** The skill in use; otherwise one that is draft, disabled or not admitted, since it can still be shown. */
function findSkill(catalog: Catalog, name: string): Skill | undefined {
  if (catalog.has(name)) return catalog.get(name)
  return [...catalog.inactive, ...catalog.refused.map(({ skill }) => skill)].find((skill) => skill.name === name)
}

function notFound(catalog: Catalog, name: string, given: readonly string[]): string {
  try {
    catalog.get(name)
  } catch (error) {
    if (!isSkillError(error)) throw error
    return visible(`${error.message} Run "${['repertoire explain', name, ...given].join(' ')}" for why.`)
  }
  return ''
}

/** The origin is that of the lock: the file only says what its author claims. */
function manifestOf({ manifest: listed, origin }: Skill, file: SkillDocument['manifest']): ShownSkill['manifest'] {
  if (file === undefined) return listed
  if (origin === undefined) return file
  return { ...file, ...(listed.source !== undefined && { source: listed.source }), createdBy: 'import' }
}

async function inspectSkill(skill: Skill, catalog: Catalog, profile: Profile): Promise<ShownSkill> {
  const { folder, path } = skill
  const bytes = await folder.readManifest()
  const place = { path, fileName: basename(path), folderName: basename(dirname(path)), profile }
  const document: SkillDocument = await parseSkill(bytes, place)
  const listing = await folder.list()
  const differs = catalog.diagnostics.filter((each) => each.code === 'LOCK_DIFFERS' && each.path === path)
  return {
    skill,
    // The catalog's data, if the file has become invalid since.
    manifest: manifestOf(skill, document.manifest),
    body: document.body,
    digest: await digestFolder(folder, listing, bytes),
    resources: groupResources(listing.files),
    truncated: listing.truncated,
    refused: [...listing.refused, ...listing.withheld.refused],
    withheld: listing.withheld.files,
    diagnostics: [...document.diagnostics, ...differs],
  }
}
