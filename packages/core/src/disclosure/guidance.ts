import type { GateMode } from '@repertoire/gate/internal'
import { toolGuidance } from './mode-texts.ts'

/** The real names of the tools in the guidance. */
export interface GuidanceTools {
  /** Absent: each skill is a separate tool whose name begins with `prefix`. */
  readonly activate?: string
  /** The prefix of the tools of single skills. Default `skill_`. */
  readonly prefix?: string
  readonly deactivate: string
  readonly readResource: string
  /** The tool that runs the scripts of active skills, if the host has a runner. It comes before the host's shell. */
  readonly runScript?: string
  /** The tool that finds skills, where it is offered. */
  readonly search?: string
  /** The host's tool that runs commands, if it has one. */
  readonly shell?: {
    readonly name: string
    /** The property of its input that the command line is in. Absent: the example has the command line alone. */
    readonly argument?: string
    /** It starts a program with a list of arguments: the properties of both. */
    readonly program?: { readonly name: string; readonly args: string }
  }
  /** How the rules of active skills are applied. Default `restrict`. */
  readonly mode?: GateMode
  /** Whether active skills have `private:` paths, which the shell cannot resolve. Default false. */
  readonly mounted?: boolean
}

/** The skill of the examples. Its folder is not a real one, so that nobody takes an example for a call to be made. */
const EXAMPLE = { skill: 'example', folder: '/path/to/example', args: 'report.csv' }

/**
 * Returns instructions for models of any vendor on how to use skills, with the names of the tools that they really have.
 * Each rule prevents a mistake that models make, such as resolving a relative path against the working folder, or reading
 * a script instead of running it, and is shown by calls as they are made. About 500 tokens.
 */
export function navigationGuidance(tools: GuidanceTools): string {
  const { deactivate, readResource, mode = 'restrict' } = tools
  return [
    'Skills are folders of instructions for particular kinds of work.',
    ...activation(tools),
    `- Relative paths in a skill's instructions are relative to that skill's folder, not to the working folder. Absolute paths and URLs stay as they are.`,
    `- Read a skill's files with \`${readResource}\`, by their relative paths.`,
    `- Scripts of a skill are run, never read${scripts(tools)}`,
    `- ${toolGuidance(mode)} Call \`${deactivate}\` when its work is done.`,
    ...examples(tools),
  ].join('\n')
}

/** How scripts are run, as the end of a sentence, and what else there is to know of it. */
function scripts({ runScript, shell, mounted = false }: GuidanceTools): string {
  if (runScript !== undefined)
    return `: run them with \`${runScript}\`, which you are given while a skill with scripts is active, by their relative paths. Then only what they print takes up context. They work in a copy of the skill's folder, and not in the working folder.`
  if (shell === undefined) return '. There is no tool here that runs them: say so if one is needed.'
  if (shell.program !== undefined)
    return `: run them with \`${shell.name}\`, by their interpreter and their absolute paths, if it may start that interpreter. Then only what they print takes up context.`
  return `: run them with \`${shell.name}\`, by their absolute paths. Then only what they print takes up context.${mounted ? ' A path that begins with `private:` does not exist there: the activation names the real one.' : ''}`
}

function activation({ activate, prefix = 'skill_', search }: GuidanceTools): readonly string[] {
  return [
    activate === undefined
      ? `- Each tool whose name begins with \`${prefix}\` is a skill. When a task fits its description, call it at once, before anything else, and follow what it returns.`
      : `- When a task fits a skill's description, call \`${activate}\` with its name at once, before anything else, and follow what it returns.`,
    '- Never only announce that you will use a skill: call it. Use none that is ' +
      `${search === undefined ? 'not listed' : 'neither listed nor found'}, and do not activate one that is active. A command such as \`/help\` is not a skill.`,
    ...(search === undefined
      ? []
      : [
          `- There may be more skills. When none that is listed fits, look for one before you do without: ${call(search, { queries: ['fill PDF form fields'] })}.`,
        ]),
  ]
}

/** Paths as they are put together, and calls as they are made. */
function examples({ activate, prefix = 'skill_', readResource, runScript, shell }: GuidanceTools): readonly string[] {
  const { skill, folder, args } = EXAMPLE
  const begin = (input: object): string =>
    activate === undefined ? call(`${prefix}${skill}`, input) : call(activate, { name: skill, ...input })
  const script = `${folder}/scripts/sum.py`
  const run =
    runScript !== undefined
      ? call(runScript, { path: 'scripts/sum.py', args: ['--total', '12'] })
      : shell && commandCall(shell, script, args)
  return [
    `Examples, for a skill \`${skill}\` in \`${folder}\`:`,
    `- To begin: ${begin({})}. With arguments: ${begin({ args })}.`,
    `- \`references/style.md\` in its instructions is \`${folder}/references/style.md\`. To read it: ${call(readResource, { path: 'references/style.md' })}.`,
    `- \`assets/tables/eu.csv\` is \`${folder}/assets/tables/eu.csv\`, wherever it is named: ${call(readResource, { path: 'assets/tables/eu.csv' })}.`,
    run === undefined
      ? `- \`scripts/sum.py\` is \`${script}\`. Wrong: ${call(readResource, { path: 'scripts/sum.py' })}.`
      : `- \`scripts/sum.py\` is \`${script}\`. Right: ${run}. Wrong: ${call(readResource, { path: 'scripts/sum.py' })}, which is refused, and would take thousands of tokens.`,
  ]
}

function commandCall(
  { name, argument, program }: NonNullable<GuidanceTools['shell']>,
  script: string,
  args: string,
): string {
  if (program !== undefined) return call(name, { [program.name]: 'python3', [program.args]: [script, args] })
  const command = `${script} ${args}`
  return argument === undefined ? `\`${name}\` with the command \`${command}\`` : call(name, { [argument]: command })
}

function call(tool: string, input: object): string {
  return `\`${tool}\` ${JSON.stringify(input)}`
}
