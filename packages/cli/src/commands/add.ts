import type { Origin, OriginOptions } from '@repertoire/library'
import type { Command } from 'commander'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Context, ExitCode, Finish } from '../context.ts'
import type { FetchProgress } from '../output/fetch-progress.ts'
import { finishPlan } from './finish-plan.ts'
import { repeatableOption } from './options.ts'
import {
  type FetchFlags,
  WRITE_EXIT_HELP,
  type WriteFlags,
  addFetchOptions,
  addWriteOptions,
  originOptions,
  projectOf,
} from './project-options.ts'
import { UsageError } from '../usage-error.ts'

interface AddFlags extends WriteFlags, FetchFlags {
  readonly skill?: readonly string[]
  readonly ref?: string
  readonly plugin?: readonly string[]
  readonly link?: readonly string[]
  readonly copy?: readonly string[]
}

const HELP = `
A SPEC is a folder, owner/repo, owner/repo/path#ref, an archive, npm:name@range, or an address. It shows what each skill
asks for. After a yes it writes .agents/skills, and skills-lock.json beside it with a digest of every file.

${WRITE_EXIT_HELP}

Examples:
  $ repertoire add ./skills --dry-run
  $ repertoire add owner/repo --skill pdf`

/** Adds `repertoire add`. */
export function addAdd(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('add')
    .summary('install skills: show what they ask for, ask, write them and the lock')
    .description('Install skills from a folder, a repository, an archive, a package or an address.')
    .argument('<SPEC...>')
    .addOption(repeatableOption('-s, --skill <name>', 'install only this skill'))
    .addOption(repeatableOption('--plugin <name>', 'the skills of this plugin; SPEC is then a marketplace'))
    .option('--ref <ref>', 'a branch, a tag, a commit or a range of versions')
    .addOption(repeatableOption('--link <folder>', 'also link them in this folder, such as .claude/skills'))
    .addOption(repeatableOption('--copy <folder>', 'also copy them to this folder'))
  addFetchOptions(addWriteOptions(command, 'also replace edited skills, and skills from elsewhere'))
    .addHelpText('after', HELP)
    .action(async (specs: string[], options: AddFlags) => finish(await add(specs, options, context)))
}

async function add(specs: readonly string[], options: AddFlags, context: Context): Promise<ExitCode> {
  if (options.plugin !== undefined && specs.length > 1) {
    throw new UsageError('--plugin names a plugin of one marketplace. Add those of several one after another.')
  }
  const project = projectOf(options, context)
  const { skill: skills, ref } = options
  const make = async (progress: FetchProgress) => {
    try {
      const { planAdd } = await import('@repertoire/library')
      const origins: Origin[] = []
      for (const spec of specs) {
        const here = spec.replace(/[#@].*$/, '')
        if (/^[\w.-]+\/[\w./-]+$/.test(here) && !here.startsWith('.') && existsSync(resolve(context.folder, here)))
          await context.stderr.write(`"${here}" is read as a repository. For the folder here, write ./${here}\n`)
        progress.begin(spec)
        const more = { onProgress: progress.step, ref }
        const origin = { ...originOptions(options), ...more }
        origins.push(...(await originsOf(fromCaller(spec, context.folder), options.plugin, origin)))
      }
      const also = Object.fromEntries([
        ...(options.link ?? []).map((folder) => [clean(folder), 'link'] as const),
        ...(options.copy ?? []).map((folder) => [clean(folder), 'copy'] as const),
      ])
      return await planAdd({
        ...project,
        origins,
        also,
        force: options.force === true,
        onProgress: progress.step,
        ...(skills !== undefined && { skills }),
      })
    } catch (error) {
      // What the library calls a mistake of the program is one of the command line here.
      throw error instanceof TypeError ? new UsageError(error.message.replace(/^planAdd: /, '')) : error
    }
  }
  return finishPlan(make, options, context)
}

/** What a text leads to; with names of plugins, what the marketplace there has of them. */
async function originsOf(
  text: string,
  plugins: readonly string[] | undefined,
  options: OriginOptions,
): Promise<readonly Origin[]> {
  const { findPlugin, readMarketplace, resolveOrigin } = await import('@repertoire/library')
  if (plugins === undefined) return [await resolveOrigin(text, options)]
  const marketplace = await readMarketplace(text, options)
  const found = [...new Set(plugins)].map((name) => findPlugin(marketplace, name))
  return Promise.all(found.map((plugin) => plugin.open()))
}

/** A relative path is one of the caller, who may name a project elsewhere. */
function fromCaller(spec: string, folder: string): string {
  return /^\.{1,2}(?:$|[\\/])/.test(spec) ? resolve(folder, spec) : spec
}

/** As it is written by completion in a shell: `./.claude/skills/`. */
function clean(folder: string): string {
  return folder.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '')
}
