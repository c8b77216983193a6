import type { GateMode, GateSettings, ScriptUse } from '@repertoire/gate/internal'

/**
 * How much a model learns about skills before it activates one: when to activate one, or everything at once, for weak
 * models.
 */
export type GuidanceMode = 'short' | 'full'

export const GUIDANCE_MODES: readonly GuidanceMode[] = ['short', 'full']

/** The real names of the tools in the guidance. */
export interface GuidanceTools {
  /** The tool that activates a skill. Absent: each skill is a separate tool, `skill_<name>`. */
  readonly activate?: string
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
  readonly mode: GateMode
}

/** The skill of the examples. Its folder is not a real one, so that no reader takes an example for a call to make. */
const EXAMPLE = { skill: 'example', folder: '/path/to/example', args: 'report.csv' }

/**
 * Returns instructions for models of any vendor on how to use skills, with the names of the tools that they really
 * have. Each rule prevents a mistake that models make, such as resolving a relative path against the working folder, or
 * reading a script instead of running it, and is shown by calls as they are made. Everything at once, about 500 tokens.
 */
export function navigationGuidance(tools: GuidanceTools): string {
  const { deactivate, readResource, mode } = tools
  return [
    'Skills are folders of instructions for particular kinds of work.',
    ...activation(tools),
    `- Relative paths in a skill's instructions are relative to that skill's folder, not to the working folder. Absolute paths and URLs stay as they are.`,
    `- Read a skill's files with \`${readResource}\`, by their relative paths.`,
    `- Scripts of a skill are run, never read${scripts(tools)}`,
    `- ${TOOL_GUIDANCE[mode]} Call \`${deactivate}\` when its work is done.`,
    ...examples(tools),
  ].join('\n')
}

/**
 * Returns when to activate a skill, for a model that has activated none: what else there is to know comes with its
 * result. The description of the activation tool adds that a skill is never only announced.
 */
export function activationGuidance({ activate, search }: GuidanceTools): string {
  const what = activate === undefined ? '`skill_…` tool, call it' : `skill, call ${activate}`
  const hint = `When a task fits a ${what} before anything else.`
  return search === undefined ? hint : `${hint} If none that is listed fits, call ${search} first.`
}

/** How the guidance on active skills begins: what tells whether a conversation has it. */
export const USE_GUIDANCE_MARK = 'Paths start at the skill directory: '

/** How a call that runs a script is shown with an activation: its arguments are left open. */
export const OPEN_ARGUMENTS = ['<arguments>']

/** Returns how to use an active skill, for the result of a session's first activation: the same for every skill. */
export function useGuidance(
  { readResource, deactivate }: Pick<GuidanceTools, 'readResource'> & Partial<Pick<GuidanceTools, 'deactivate'>>,
  use: ScriptUse | 'unknown' | undefined,
): string {
  const parts = [
    `${USE_GUIDANCE_MARK}read files with ${readResource} {"path":"<path>"}.`,
    ...(use === undefined ? [] : [scriptGuidance(use)]),
    ...(deactivate === undefined ? [] : [`Call ${deactivate} when done.`]),
  ]
  return parts.join(' ')
}

export function scriptGuidance(use: ScriptUse | 'unknown'): string {
  if (typeof use === 'object') return `Run scripts, never read them: ${use.call}.`
  if (use === 'none') return 'Nothing here runs its scripts: go on without them.'
  return use === 'unknown' ? 'Run scripts, never read them.' : 'Run scripts as the skill says, never read them.'
}

function scripts({ runScript, shell }: GuidanceTools): string {
  if (runScript !== undefined)
    return `: run them with \`${runScript}\`, which you are given while a skill with scripts is active, by their relative paths. Then only what they print takes up context. They work in a copy of the skill's folder, and not in the working folder.`
  if (shell === undefined) return '. There is no tool here that runs them: go on without them.'
  return `: run them with \`${shell.name}\`, by their interpreter and their absolute paths, if the rules permit it. Then only what they print takes up context.`
}

function activation({ activate, search }: GuidanceTools): readonly string[] {
  const lines = [
    activate === undefined
      ? '- Each tool whose name begins with `skill_` is a skill. When a task fits its description, call it at once, before anything else, and follow what it returns.'
      : `- When a task fits a skill's description, call \`${activate}\` with its name at once, before anything else, and follow what it returns.`,
    '- Never only announce that you will use a skill: call it. Use none that you were not shown, and do not activate one that is active. A command such as `/help` is not a skill.',
  ]
  if (search === undefined) return lines
  const example = call(search, { queries: ['fill PDF form fields'] })
  return [
    ...lines,
    `- There may be more skills. When none that is listed fits, look for one before you do without: ${example}.`,
  ]
}

/** Paths as they are put together, and calls as they are made. */
function examples({ activate, readResource, runScript, shell }: GuidanceTools): readonly string[] {
  const { skill, folder, args } = EXAMPLE
  const begin = (input: object): string =>
    activate === undefined ? call(`skill_${skill}`, input) : call(activate, { name: skill, ...input })
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
  const command = `python3 ${script} ${args}`
  return argument === undefined ? `\`${name}\` with the command \`${command}\`` : call(name, { [argument]: command })
}

function call(tool: string, input: object): string {
  return `\`${tool}\` ${JSON.stringify(input)}`
}

export interface SkillRules {
  /** Its `allowed-tools`, or what the host gives in their place. Absent: it has none. */
  readonly allowed?: readonly unknown[] | undefined
  /** True: the host gave it `allowed`. */
  readonly assumed?: boolean
  /** Its `disallowed-tools`. Absent: it has none. */
  readonly denied?: readonly unknown[] | undefined
}

/** Returns what consent to the activation of a skill means, or to its execution. */
export function meaningOfYes(
  { mode, composition }: Pick<GateSettings, 'mode' | 'composition'>,
  { allowed, assumed = false, denied = [], isExecuted }: SkillRules & { readonly isExecuted: boolean },
): string {
  const period = isExecuted ? 'during this call' : 'while the skill is active'
  const isTop = composition === 'top' && mode !== 'advisory'
  const others = isTop ? ' The tool rules of other active skills do not apply meanwhile.' : ''
  const policy = `The host's policy still applies.${others}`
  const usable = isTop ? 'are usable' : 'stay usable as before'
  if (mode === 'advisory') return `the skill's tool rules refuse nothing: all tools ${usable}. ${policy}`
  const exceptDenied = denied.length > 0 ? ', except for those that it forbids' : ''
  if (mode === 'preapprove') {
    if (!preapproves(mode, { allowed, assumed })) {
      return `no tool is approved in advance: all tools ${usable}${exceptDenied}. ${policy}`
    }
    const unless = isTop ? '' : ', unless another active skill with a list lacks them'
    return `calls of these tools need no further approval ${period}${unless}. All other tools ${usable}${exceptDenied}. ${policy}`
  }
  if (allowed === undefined) return `all tools ${usable}${exceptDenied}. ${policy}`
  if (allowed.length === 0) return `no tool but the skill tools may be used ${period}.`
  const limits = isTop ? "the host's policy allows" : "the host's policy and other active skills allow"
  return `only these tools may be used ${period}, as far as ${limits} them.${others}`
}

/** Whether calls need no further approval while a skill is active. Rules that the host gave it approve none. */
export function preapproves(mode: GateMode, { allowed = [], assumed = false }: SkillRules): boolean {
  return mode === 'preapprove' && allowed.length > 0 && !assumed
}

const TOOL_LABELS = {
  restrict: { allowed: 'Allowed tools', denied: 'Disallowed tools' },
  preapprove: { allowed: 'Preapproved tools', denied: 'Disallowed tools' },
  advisory: { allowed: 'Recommended tools', denied: 'Tools to avoid' },
} as const satisfies Record<GateMode, { readonly allowed: string; readonly denied: string }>

/** What the list of tools means, for a model. */
const LIST_MEANINGS = {
  restrict: 'No other tools may be used while this skill is active.',
  preapprove: 'Their calls need no further approval. All other tools stay usable as before.',
  advisory: 'All other tools stay usable as before.',
} as const satisfies Record<GateMode, string>

/**
 * Returns the lines about tools in the text of an activation. Empty if the skill has no rules.
 * @param rules in the words that the model reads
 */
export function toolLines(
  mode: GateMode,
  {
    allowed,
    assumed = false,
    denied = [],
  }: SkillRules & { readonly allowed?: readonly string[] | undefined; readonly denied?: readonly string[] | undefined },
): readonly string[] {
  const labels = TOOL_LABELS[mode]
  const lines: string[] = []
  // In the other modes a list that the host gave, or an empty one, changes nothing.
  if (allowed !== undefined && (mode === 'restrict' || (allowed.length > 0 && !assumed))) {
    lines.push(`${labels.allowed}: ${allowed.length === 0 ? 'none' : allowed.join(', ')}`, LIST_MEANINGS[mode])
  }
  if (denied.length > 0) lines.push(`${labels.denied}: ${denied.join(', ')}`)
  return lines
}

/** What the guidance says about all skills' tools, as one item. */
const TOOL_GUIDANCE = {
  restrict: 'While a skill with allowed tools is active, only those tools may be used.',
  preapprove:
    'While a skill with preapproved tools is active, calls of those tools need no further approval. All other tools stay usable as before.',
  advisory: 'A skill may recommend tools. All other tools stay usable while it is active.',
} as const satisfies Record<GateMode, string>
