import { type SkillDocument, estimateTokens } from '@repertoire/core'
import { inspectDemands, parseSkill } from '@repertoire/core/authoring'
import { skillFolder } from '@repertoire/core/node'
import type { Command } from 'commander'
import { existsSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { Context, ExitCode, Finish } from '../context.ts'
import type { Finding } from '../finding.ts'
import { toJson } from '../output/json.ts'
import { type SkillCheck, checkText } from '../output/skill-check.ts'
import { count, paragraphs } from '../output/text.ts'
import { UsageError } from '../usage-error.ts'
import { checkPaths } from './check-paths.ts'
import { JUDGED_ON, OTHER_SYSTEMS, loadElsewhere } from './elsewhere.ts'
import { jsonOption } from './options.ts'
import { type SourceOptions, addConfigOptions, openSkills } from './skill-sources.ts'

interface CheckOptions extends Pick<SourceOptions, 'config'> {
  readonly json?: true
}

const HELP = `
It answers four questions. Does it load, here and in other systems? What does it ask for? What does it cost? Would a model
find it? Other systems are not run: what they do is known from a test of the versions that are named.

SKILL is a folder, a SKILL.md, or the name of a skill that "repertoire list" shows.

Exit code: 0 if it loads here; 1 if not; 2 for a wrong command.

Examples:
  $ repertoire check skills/pdf
  $ repertoire check pdf --json`

/** Adds `repertoire check`. */
export function addCheck(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('check')
    .summary('where a skill loads, what it asks for, and what it costs')
    .description(
      'Tell the author of a skill whether it loads, what it asks for, what it costs, and what helps to find it.',
    )
    .argument('<SKILL>')
    .addOption(jsonOption())
  addConfigOptions(command)
    .addHelpText('after', paragraphs(HELP, context.stdout))
    .action(async (skill: string, options: CheckOptions) => finish(await check(skill, options, context)))
}

async function check(given: string, options: CheckOptions, context: Context): Promise<ExitCode> {
  const { stdout, folder } = context
  const checked = await checkSkill(await pathOf(given, options, context))
  await (options.json
    ? stdout.write(toJson(checked))
    : stdout.print(checkText(checked, { paint: stdout.paint, folder })))
  return checked.loads.here ? 0 : 1
}

/** @throws {UsageError} there is neither such a file nor such a skill */
async function pathOf(given: string, options: CheckOptions, context: Context): Promise<string> {
  const path = resolve(context.folder, given)
  if (given === '') throw new UsageError('The name of the skill is empty. Name a folder or a skill.')
  if (existsSync(path)) return path
  const { repertoire } = await openSkills([], options, context)
  const [found] = repertoire.explain(given).candidates
  if (found !== undefined) return found.path
  const message = `There is no folder ${path}, and no skill of this name. "repertoire list" shows your skills.`
  throw new UsageError(message, { code: 'SKILL_NOT_FOUND', exitCode: 1 })
}

async function checkSkill(given: string): Promise<SkillCheck> {
  const { files: found, diagnostics } = await checkPaths([given], 'default')
  if (found.length > 1) {
    throw new UsageError(
      `${given} holds ${count(found.length, 'skill')}. Name one, or run "repertoire validate" on all.`,
    )
  }
  const [file] = found
  if (file === undefined) return unloaded(given, diagnostics)
  const folder = skillFolder(dirname(file.path))
  const bytes = await folder.readManifest()
  const place = { path: file.path, fileName: basename(file.path), folderName: basename(dirname(file.path)) }
  const document = await parseSkill(bytes, place)
  const { manifest, body = '' } = document
  if (manifest === undefined) return unloaded(file.path, diagnostics)
  const listing = await folder.list()
  const files = listing.files.filter(({ path }) => path !== basename(file.path))
  const read = files.filter(({ path }) => !/^(?:scripts|assets|evals)\//.test(path))
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const codes = new Set(diagnostics.map(({ code }) => code))
  return {
    name: manifest.name,
    path: file.path,
    loads: {
      here: file.valid,
      findings: diagnostics,
      elsewhere: {
        date: JUDGED_ON,
        systems: OTHER_SYSTEMS,
        found: loadElsewhere({ text, manifest, codes, files }),
      },
    },
    asks: await inspectDemands(document, folder),
    cost: {
      list: estimateTokens(`- ${manifest.name}: ${manifest.description} ${manifest.whenToUse ?? ''}`),
      body: estimateTokens(body),
      files: Math.ceil(read.reduce((sum, { size }) => sum + size, 0) / 4),
      fileCount: read.length,
    },
    advice: adviceOn(
      document,
      files.some(({ path }) => path.startsWith('evals/')),
    ),
  }
}

function unloaded(path: string, findings: readonly Finding[]): SkillCheck {
  const elsewhere = { date: JUDGED_ON, systems: OTHER_SYSTEMS, found: [] }
  return {
    name: basename(path.replace(/[\\/][^\\/]+\.md$/i, '')),
    path,
    loads: { here: false, findings, elsewhere },
    asks: undefined,
    cost: { list: 0, body: 0, files: 0, fileCount: 0 },
    advice: [],
  }
}

const FEW_WORDS = 8
const MANY_CHARS = 600

/** What would help a model to choose the skill, by the advice of the standard. */
function adviceOn({ manifest }: SkillDocument, hasEvals: boolean): readonly string[] {
  const { name = '', description = '', whenToUse = '' } = manifest ?? {}
  const all = `${description} ${whenToUse}`
  const words = description.split(/\s+/).length
  return [
    ...(/\b(?:when|if|whenever|for)\b|\bUse\b/.test(all) || !/[a-z]{3}/i.test(all)
      ? []
      : ['Say when to use it, such as "Use it when a form has to be filled".']),
    ...(words < FEW_WORDS && /^[\u0020-\u007E]*$/.test(description)
      ? [
          `The description has ${count(words, 'word')}. Name the products, formats and techniques that people would name.`,
        ]
      : []),
    ...(/^(?:I|You|We|This skill|Helps?)\b/.test(description)
      ? ['Begin with what it does, such as "Fills in PDF forms".']
      : []),
    ...(description.length > MANY_CHARS
      ? [`The description has ${description.length} characters. A long list shortens it: put what matters first.`]
      : []),
    ...(hasEvals ? [] : [`Measure whether a model chooses it. To begin: repertoire eval ${name} --init`]),
  ]
}
