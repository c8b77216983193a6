import { parseSkill } from '@repertoire/core/authoring'
import type { ToolRule } from '@repertoire/core'
import type { NewSkill } from '@repertoire/library'
import { type Command, Option } from 'commander'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Context, ExitCode, Finish } from '../context.ts'
import { toJson } from '../output/json.ts'
import { shownPath } from '../output/path.ts'
import { UsageError } from '../usage-error.ts'
import { reportError } from './finish-plan.ts'
import { askNewSkill } from './new-skill-wizard.ts'
import { type NewFlags, SKILL_TYPES } from './new-skill-options.ts'
import { repeatableOption } from './options.ts'
import { addProjectOptions, projectOf } from './project-options.ts'

const HELP = `
On a terminal it asks for what is missing. Otherwise give NAME and --description. It never replaces a skill.

Exit code: 0; 1 if it was not written, with the reason; 2 for a wrong command.

Examples:
  $ repertoire new
  $ repertoire new pdf-forms --description "Fill in PDF forms from a table." --tool Read --tool "Bash(python:*)"`

/** Adds `repertoire new`. */
export function addNew(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('new')
    .summary('write a new skill, asking on a terminal')
    .description('Write the SKILL.md of a new skill, valid from the start.')
    .argument('[NAME]', 'lowercase letters, digits and single hyphens')
    .option('-d, --description <text>', 'what it does, and when to use it')
    .addOption(new Option('-t, --type <type>', 'default: instruction').choices(Object.keys(SKILL_TYPES)))
    .addOption(repeatableOption('--tool <rule>', 'a tool that it may use, as in allowed-tools'))
    .option('--body <file>', 'a file with its instructions, script, template, or steps as JSON')
    .option('-n, --dry-run', 'print the SKILL.md, and write nothing')
  addProjectOptions(command)
    .addHelpText('after', HELP)
    .action(async (name: string | undefined, options: NewFlags) => finish(await create(name, options, context)))
}

async function create(given: string | undefined, flags: NewFlags, context: Context): Promise<ExitCode> {
  const { stdout, folder } = context
  const asked = await askNewSkill(given, flags, context)
  if (asked === undefined) {
    await context.stderr.write('Nothing was written.\n')
    return 1
  }
  const { name, options } = asked
  const project = projectOf(options, context)
  try {
    const { createSkillRegistry, locateProject, memoryStore, openFileStore } = await import('@repertoire/library')
    const skill = await skillOf(name, options, folder)
    const { folder: root } = await locateProject(project)
    const store = options.dryRun ? memoryStore({ layer: 'project' }) : await openFileStore({ root, layer: 'project' })
    await createSkillRegistry({ store }).create(skill)
    const text = new TextDecoder().decode(await (await store.get(name)).folder.readManifest())
    const path = join(root, name, 'SKILL.md')
    if (options.json) await stdout.write(toJson({ name, path, text }))
    else if (options.dryRun) await stdout.write(text)
    else
      await stdout.write(
        `${shownPath(path, folder)} was written. "repertoire validate ${shownPath(join(root, name), folder)}" judges it.\n`,
      )
    return 0
  } catch (error) {
    return reportError(error, options.json === true, context)
  }
}

async function skillOf(
  name: string,
  { description = '', type = 'instruction', tool, body }: NewFlags,
  folder: string,
): Promise<NewSkill> {
  const text = body === undefined ? undefined : readBody(resolve(folder, body))
  return {
    name,
    description,
    type,
    definition: definitionOf(name, type, text),
    ...(tool !== undefined && { allowedTools: await rulesOf(tool) }),
  }
}

function definitionOf(name: string, type: keyof typeof SKILL_TYPES, text: string | undefined): Record<string, unknown> {
  if (type === 'instruction') return { content: text ?? `# ${name}\n\nSay here step by step what is to be done.\n` }
  if (type === 'script') return { script: text ?? 'echo "Say here what is to be done."\n', language: 'bash' }
  if (type === 'template') return { template: text ?? 'Say here what is to be written.\n' }
  if (text === undefined) return { steps: [{ tool: 'Read', parameters: { path: 'README.md' } }] }
  try {
    return { steps: JSON.parse(text) as unknown }
  } catch (error) {
    throw new UsageError(
      `--body of a composite skill is a list of steps as JSON: ${error instanceof Error ? error.message : ''}`,
    )
  }
}

/** Rules as a SKILL.md would have them. @throws {UsageError} */
async function rulesOf(rules: readonly string[]): Promise<readonly ToolRule[]> {
  const text = `---\nname: x\ndescription: x\nallowed-tools: ${JSON.stringify(rules)}\n---\n`
  const { manifest, diagnostics } = await parseSkill(new TextEncoder().encode(text), { folderName: 'x' })
  const problem = diagnostics.find(({ severity }) => severity === 'error')
  if (manifest?.allowedTools?.length === rules.length && problem === undefined) return manifest.allowedTools
  throw new UsageError(`--tool: ${problem?.message ?? 'these are not rules.'} ${problem?.hint ?? ''}`.trim())
}

function readBody(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`--body: ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}
