import { parseSkill } from '@repertoire/core/authoring'
import type { ToolRule } from '@repertoire/core'
import { type Command, Option } from 'commander'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Context, ExitCode, Finish } from '../context.ts'
import { toJson } from '../output/json.ts'
import { shownPath } from '../output/path.ts'
import { paragraphs } from '../output/text.ts'
import { UsageError } from '../usage-error.ts'
import { repeatableOption } from './options.ts'
import { type ProjectFlags, addProjectOptions, projectOf } from './project-options.ts'

const TYPES = ['instruction', 'script', 'template', 'composite'] as const

interface NewFlags extends ProjectFlags {
  readonly description: string
  readonly type?: (typeof TYPES)[number]
  readonly tool?: readonly string[]
  readonly body?: string
  readonly dryRun?: true
}

const HELP = `
A model chooses a skill by its description, so say what it does and when to use it. It never replaces a skill.

Exit code: 0; 1 if it was not written, with the reason; 2 for a wrong command.

Examples:
  $ repertoire new pdf-forms \\
      --description "Fills in PDF forms. Use it when a form has to be filled." \\
      --tool Read --tool "Bash(python:*)"`

/** Adds `repertoire new`. */
export function addNew(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('new')
    .summary('write a new skill')
    .description('Write the SKILL.md of a new skill, valid from the start.')
    .argument('<NAME>', 'lowercase letters, digits and single hyphens')
    .requiredOption('-d, --description <text>', 'what it does, and when to use it')
    .addOption(new Option('-t, --type <type>', 'default: instruction').choices(TYPES))
    .addOption(repeatableOption('--tool <rule>', 'a tool that it may use, as in allowed-tools'))
    .option('--body <file>', 'a file with its instructions, script, template, or steps as JSON')
    .option('-n, --dry-run', 'print the SKILL.md, and write nothing')
  addProjectOptions(command)
    .addHelpText('after', paragraphs(HELP, context.stdout))
    .action(async (name: string, options: NewFlags) => finish(await create(name, options, context)))
}

async function create(name: string, options: NewFlags, context: Context): Promise<ExitCode> {
  const { description, type = 'instruction', tool, body, dryRun } = options
  const { stdout, folder } = context
  const project = projectOf(options, context)
  const text = body === undefined ? undefined : readBody(resolve(folder, body))
  const { createSkillRegistry, locateProject, memoryStore, openFileStore } = await import('@repertoire/library')
  const { folder: root } = await locateProject(project)
  const store = dryRun ? memoryStore({ layer: 'project' }) : await openFileStore({ root, layer: 'project' })
  const allowedTools = tool && (await rulesOf(tool))
  const definition = definitionOf(name, type, text)
  await createSkillRegistry({ store }).create({ name, description, type, definition, allowedTools })
  const manifest = new TextDecoder().decode(await (await store.get(name)).folder.readManifest())
  const path = join(root, name, 'SKILL.md')
  if (options.json) await stdout.write(toJson({ name, path, text: manifest }))
  else if (dryRun) await stdout.write(manifest)
  else {
    const next = `repertoire check ${shownPath(join(root, name), folder)}`
    await stdout.print(
      `Written: ${shownPath(path, folder)}\nNext, write its instructions, and then run:\n  $ ${next}\n`,
    )
  }
  return 0
}

function definitionOf(name: string, type: NewFlags['type'], text: string | undefined): Record<string, unknown> {
  if (type === 'script') return { script: text ?? 'echo "Say here what is to be done."\n', language: 'bash' }
  if (type === 'template') return { template: text ?? 'Say here what is to be written.\n' }
  if (type !== 'composite') return { content: text ?? `# ${name}\n\nSay here step by step what is to be done.\n` }
  if (text === undefined) return { steps: [{ tool: 'Read', parameters: { path: 'README.md' } }] }
  try {
    return { steps: JSON.parse(text) as unknown }
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    throw new UsageError(`--body of a composite skill is a list of steps as JSON: ${reason}`)
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
