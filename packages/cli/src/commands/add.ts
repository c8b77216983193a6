import type { ListedSkill, Origin } from '@repertoire/library'
import type { Command } from 'commander'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Context, ExitCode, Finish } from '../context.ts'
import { createFetchProgress, type FetchProgress } from '../output/fetch-progress.ts'
import { toJson } from '../output/json.ts'
import type { Output } from '../output/output.ts'
import { paragraphs, shorten, visible, visibleLine, visibleName } from '../output/text.ts'
import { finishPlan } from './finish-plan.ts'
import { repeatableOption } from './options.ts'
import {
  type InstallFlags,
  WRITE_EXIT_HELP,
  addInstallOptions,
  originOptions,
  projectOf,
  scanOf,
  toOption,
} from './project-options.ts'
import { UsageError } from '../usage-error.ts'

interface AddFlags extends InstallFlags {
  readonly skill?: readonly string[]
  readonly list?: true
  readonly link?: readonly string[]
}

const HELP = `
An ORIGIN is a folder, owner/repo, owner/repo/path#ref, an archive, npm:name@range, or an address. It shows what each skill
asks for. After a yes it writes .agents/skills, and skills-lock.json with a digest of every file.

For a private repository, set GH_TOKEN, GITLAB_TOKEN or REPERTOIRE_TOKEN_<HOST>, or name it by git@host:owner/repo.

${WRITE_EXIT_HELP}

Examples:
  $ repertoire add owner/repo --list
  $ repertoire add owner/repo --skill pdf`

/** Adds `repertoire add`. */
export function addAdd(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('add')
    .summary('install skills, after showing what they ask for')
    .description('Install skills from a folder, a repository, an archive, a package or an address.')
    .argument('<ORIGIN...>')
    .addOption(repeatableOption('-s, --skill <name>', 'install only this skill'))
    .option('-l, --list', 'list what is there, and write nothing')
    .addOption(toOption())
    .addOption(repeatableOption('--link <folder>', 'also link them in this folder, such as .claude/skills'))
  addInstallOptions(command, 'also replace edited skills, and skills from elsewhere')
    .addHelpText('after', paragraphs(HELP, context.stdout))
    .action(async (specs: string[], options: AddFlags) => finish(await add(specs, options, context)))
}

async function add(specs: readonly string[], options: AddFlags, context: Context): Promise<ExitCode> {
  const project = projectOf(options, context)
  const { skill: skills } = options
  if (options.list === true) return list(specs, options, context)
  const make = async (progress: FetchProgress) => {
    const { planAdd } = await import('@repertoire/library')
    const also = (options.link ?? []).map(clean)
    const force = options.force === true
    const scan = await scanOf(options, context)
    try {
      const origins = await originsOf(specs, options, progress, context)
      return await planAdd({ ...project, origins, also, force, skills, scan, onProgress: progress.step })
    } catch (error) {
      // What the library calls a mistake of the program is one of the command line here.
      throw error instanceof TypeError ? new UsageError(error.message.replace(/^planAdd: /, '')) : error
    }
  }
  return finishPlan(make, options, context)
}

async function originsOf(
  specs: readonly string[],
  options: AddFlags,
  progress: FetchProgress,
  { folder, stderr }: Context,
): Promise<readonly Origin[]> {
  const { resolveOrigin } = await import('@repertoire/library')
  const origins: Origin[] = []
  for (const spec of specs) {
    const here = spec.replace(/[#@].*$/, '')
    if (/^[\w.-]+\/[\w./-]+$/.test(here) && !here.startsWith('.') && existsSync(resolve(folder, here)))
      await stderr.print(`"${here}" is read as a repository. For the folder here, write ./${here}\n`)
    progress.begin(spec)
    const fetching = { ...originOptions(options), onProgress: progress.step }
    origins.push(await resolveOrigin(fromCaller(spec, folder), fetching))
  }
  return origins
}

/** Lists what the places offer. */
async function list(specs: readonly string[], options: AddFlags, context: Context): Promise<ExitCode> {
  const { stdout } = context
  const progress = createFetchProgress(context.stderr)
  const skills: ListedSkill[] = []
  try {
    for (const origin of await originsOf(specs, options, progress, context)) skills.push(...(await origin.list()))
  } finally {
    progress.end()
  }
  const text = skills.map((skill) => listedText(skill, stdout)).join('')
  await (options.json ? stdout.write(toJson({ skills })) : stdout.print(text))
  return skills.some(({ problem }) => problem !== undefined) ? 1 : 0
}

function listedText({ name, path, description = '', problem }: ListedSkill, { paint, columns = 120 }: Output): string {
  const what = problem === undefined ? shorten(visibleLine(description), Math.max(20, columns - 4)) : visible(problem)
  const mark = problem === undefined ? '' : `${paint.red('✗')} `
  return `${mark}${paint.bold(visibleName(name))}  ${paint.dim(visibleName(path))}\n${what === '' ? '' : `    ${what}\n`}`
}

/** A relative path is one of the caller, who may name a project elsewhere. */
function fromCaller(spec: string, folder: string): string {
  return /^\.{1,2}(?:$|[\\/])/.test(spec) ? resolve(folder, spec) : spec
}

/** As it is written by completion in a shell: `./.claude/skills/`. */
function clean(folder: string): string {
  return folder.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '')
}
