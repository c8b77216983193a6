import {
  AGENT_FILE,
  parseManifestPath,
  type SkillDocument,
  withOrigin,
  type FolderListing,
  type SkillFolder,
  type Manifest,
  type Profile,
  type SkillDefinition,
  type ToolRule,
  type Skill,
  quoteName,
  isScriptFile,
} from '@repertoire/skill-md/internal'
import { applyAgentFile, parseDocument } from '@repertoire/skill-md/internal/parser'
import { FOLDER_PLACEHOLDER } from '../disclosure/arguments.ts'
import type { ScriptSettings } from '../execution/settings.ts'
import { measureFolder } from '../resources/digest.ts'
import type { ConsentExecution, ConsentRunner } from '../ports/consent.ts'
import type { ActiveSkill } from './state/state.ts'
import { firstError } from '../text/message.ts'

/** A skill with what its folder holds now, read for an activation. */
export interface InspectedSkill {
  readonly skill: Skill
  readonly folder: SkillFolder
  /** The manifest as it is now, which may differ from the catalog's. */
  readonly manifest: Manifest
  /** What the host's `admit` gives it while it is active, since its manifest names no tools. Absent: nothing. */
  readonly assumedRules?: readonly ToolRule[] | undefined
  readonly body: string
  readonly definition: SkillDefinition
  readonly listing: FolderListing
  readonly fileName: string
  readonly digest: string
  /** Whether the digest covers all that the folder holds. Otherwise consent holds for one activation only. */
  readonly whole: boolean
  /** SHA-256 of each file that the digest is made of, hex, by its path. */
  readonly files: ReadonlyMap<string, string>
  /** Files with a script's ending, and executable files in a folder for scripts. Hidden ones last. */
  readonly scripts: readonly string[]
  /** What would run them. Absent: nothing would. */
  readonly runner?: ConsentRunner | undefined
  /** What a call of it does, as consent is asked for it. Absent: it is activated. */
  readonly execution?: ConsentExecution | undefined
}

/**
 * Reads a skill's folder for an activation: the body, the files, and the digest that consent is bound to, over the
 * same bytes of SKILL.md that the body and the rights are taken from. If the skill is broken, returns why.
 * @throws {SkillError} if the folder cannot be read, or refuses to be
 */
export async function inspectSkill(
  skill: Skill,
  profile: Profile,
): Promise<InspectedSkill | { readonly broken: string }> {
  const { folder } = skill
  const context = { ...parseManifestPath(skill.path), profile }
  const survey = await folder.survey?.()
  const bytes = survey?.manifest ?? (await folder.readManifest())
  const document = await parseDocument(bytes, context)
  const broken = brokenBy(skill, document)
  // The rest of an unusable skill is not read.
  if (broken !== undefined) return { broken }
  const { fileName } = context
  const listing = survey?.listing ?? (await folder.list())
  const { digest, whole, files } = survey ?? (await measureFolder(folder, listing, { path: fileName, bytes }))
  const hasAgentFile = listing.files.some(({ path }) => path === AGENT_FILE)
  const manifest = hasAgentFile ? await applyAgentFile(document.manifest!, folder) : document.manifest!
  // Hidden scripts too: they run as others do, and the request for consent names them.
  const scripts = [...listing.files, ...listing.withheld.files].filter(isScriptFile).map(({ path }) => path)
  return {
    skill,
    folder,
    manifest: withFolder(withOrigin(manifest, skill.origin), skill.location),
    body: document.body!,
    definition: document.definition!,
    listing,
    fileName,
    digest,
    whole,
    files,
    scripts,
  }
}

/** A folder's path that a rule can hold: no other character there means only itself. */
const PLAIN_PATH = /^[\p{L}\p{N}/._@+~-]+$/u

/** Fills in the skill's folder where its rules and hooks name it. Hooks run in the folder. */
function withFolder(manifest: Manifest, location: string): Manifest {
  const { allowedTools, disallowedTools, hooks } = manifest
  const inRule = ({ tool, pattern }: ToolRule): ToolRule => ({
    tool,
    pattern: PLAIN_PATH.test(location) ? pattern?.replace(FOLDER_PLACEHOLDER, () => location) : pattern,
  })
  return {
    ...manifest,
    allowedTools: allowedTools?.map(inRule),
    disallowedTools: disallowedTools?.map(inRule),
    hooks: { pre: inFolder(hooks.pre), post: inFolder(hooks.post) },
  }
}

function inFolder(commands: readonly string[]): readonly string[] {
  return commands.map((command) => command.replaceAll(FOLDER_PLACEHOLDER, '.'))
}

function brokenBy({ name }: Skill, { manifest, diagnostics }: SkillDocument): string | undefined {
  if (manifest === undefined) return firstError(diagnostics).message
  if (manifest.name !== name) return `its SKILL.md names another skill now, ${quoteName(manifest.name)}`
  return manifest.status === 'active' ? undefined : `its status is ${manifest.status} now`
}

/** Characters of the names that a runner gives itself, and of each of its notes. */
const [MAX_NAME_CHARS, MAX_NOTE_CHARS, MAX_NOTES] = [80, 500, 10]

/** What would run what a skill brings, as a request for consent shows it; undefined: nothing does, or it has none. */
export function consentRunner(
  settings: ScriptSettings | undefined,
  { scripts, definition, manifest: { hooks } }: InspectedSkill,
): ConsentRunner | undefined {
  if (settings === undefined) return undefined
  const runsHooks = settings.hooks && hooks.pre.length + hooks.post.length > 0
  const runs = scripts.length > 0 || definition.type === 'script' || runsHooks
  return runs ? describeRunner(settings) : undefined
}

/** A runner in its own words, shortened. */
function describeRunner({ runner, network }: ScriptSettings): ConsentRunner {
  const { name, isolated, notes } = runner.isolation
  return {
    name: runner.name.slice(0, MAX_NAME_CHARS),
    isolation: name.slice(0, MAX_NAME_CHARS),
    isolated,
    network,
    notes: notes.slice(0, MAX_NOTES).map((note) => note.slice(0, MAX_NOTE_CHARS)),
  }
}

/**
 * What consent to a runner is kept as. Another runner, a weaker isolation or the network is another thing to agree to:
 * a session that goes on elsewhere may meet one.
 */
export function runnerKey(runner: ConsentRunner | undefined): string | undefined {
  return runner && JSON.stringify([runner.name, runner.isolation, runner.isolated, runner.network])
}

export function isRunnerAgreed(settings: ScriptSettings, { runner }: ActiveSkill): boolean {
  return runner === runnerKey(describeRunner(settings))
}

/** What carries out the steps of plans; undefined if nothing does. */
interface HostOfSteps {
  readonly runStep: unknown
}

/**
 * Whether a call of a skill executes it, and nothing of it is active afterwards. A plan that nothing here carries out
 * is for the model: it is activated as instructions are.
 */
export function isExecuted({ type }: Pick<Manifest, 'type'>, { runStep }: HostOfSteps): boolean {
  return type === 'script' || type === 'template' || (type === 'composite' && runStep !== undefined)
}

/** Returns what a call of a skill does at once, for the request for consent; undefined if it is activated. */
export function consentExecution(
  { manifest, definition }: InspectedSkill,
  host: HostOfSteps,
): ConsentExecution | undefined {
  if (!isExecuted(manifest, host)) {
    const { context, agent, model } = manifest
    return context === 'fork' ? { type: 'fork', agent, model } : undefined
  }
  if (definition.type === 'script') {
    const { type, language } = definition
    return { type, language }
  }
  if (definition.type !== 'composite') return { type: 'template' }
  return { type: 'composite', tools: [...new Set(definition.steps.map(({ tool }) => tool))] }
}
