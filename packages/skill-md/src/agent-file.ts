import { type CompactDiagnostic, Metadata } from './diagnostics.ts'
import { isSkillError } from './errors.ts'
import { readYaml } from './libraries.ts'
import { AGENT_FILE, type Manifest } from './ports/manifest.ts'
import type { SkillFolder } from './ports/skill.ts'
import { describeType, type YamlNode } from './yaml/tree.ts'

const KEY = 'allow_implicit_invocation'
const MAX_BYTES = 64 * 1024

/** What the file says about invocation. */
interface AgentFilePolicy {
  /** Whether only a person may invoke the skill. */
  readonly explicitOnly: boolean
  /** Why the file, or its policy, cannot be read. */
  readonly problem?: string
}

const SILENT: AgentFilePolicy = { explicitOnly: false }

/** Reads the file of a folder, and returns a manifest that it may have restricted, with what there is to say about it. */
export async function applyAgentFile(
  manifest: Manifest,
  folder: Pick<SkillFolder, 'read'>,
): Promise<{ readonly manifest: Manifest; readonly findings: readonly CompactDiagnostic[] }> {
  const { explicitOnly, problem } = await readPolicy(folder)
  const restricts = explicitOnly && !manifest.disableModelInvocation
  return {
    manifest: restricts ? restricted(manifest) : manifest,
    findings: [...(problem === undefined ? [] : [invalid(problem, explicitOnly)]), ...(restricts ? [EXPLICIT] : [])],
  }
}

/** Does the same for metadata. */
export async function withAgentFile(metadata: Metadata, folder: Pick<SkillFolder, 'read'>): Promise<Metadata> {
  if (metadata.manifest === undefined) return metadata
  const { manifest, findings } = await applyAgentFile(metadata.manifest, folder)
  return new Metadata(metadata.path, manifest, [...metadata.compact, ...findings])
}

/** Files that did not change share a manifest, so that a reload sees that the skill did not change either. */
const restrictedManifests = new WeakMap<Manifest, Manifest>()

function restricted(manifest: Manifest): Manifest {
  const known = restrictedManifests.get(manifest)
  if (known !== undefined) return known
  const result = Object.freeze({ ...manifest, disableModelInvocation: true })
  restrictedManifests.set(manifest, result)
  return result
}

async function readPolicy(folder: Pick<SkillFolder, 'read'>): Promise<AgentFilePolicy> {
  let bytes: Uint8Array
  try {
    bytes = await folder.read(AGENT_FILE, { maxBytes: MAX_BYTES })
  } catch (error) {
    if (!isSkillError(error)) throw error
    if (error.code === 'RESOURCE_NOT_FOUND') return SILENT
    // It may forbid models to invoke the skill.
    return { explicitOnly: true, problem: error.message }
  }
  const text = new TextDecoder().decode(bytes)
  const result = await readYaml(text, 1)
  // A slip in the file must not undo what its author forbids.
  const broken = (problem: string): AgentFilePolicy => ({ explicitOnly: text.includes(KEY), problem })
  if ('fault' in result) {
    const { line, message } = result.fault
    return broken(`Line ${line}: ${message.replace(/^The frontmatter/, 'The file')}`)
  }
  const { root } = result
  if (isAbsent(root)) return SILENT
  if (root.kind !== 'map') return broken(`The file is ${describeType(root)}, not a mapping.`)
  const policy = root.entries.find(({ key }) => key === 'policy')?.value
  if (policy === undefined || isAbsent(policy)) return SILENT
  if (policy.kind !== 'map') return broken(`\`policy\` is ${describeType(policy)}, not a mapping.`)
  const value = policy.entries.find(({ key }) => key === KEY)?.value
  if (value === undefined) return SILENT
  if (value.kind === 'scalar' && typeof value.value === 'boolean') return { explicitOnly: !value.value }
  return broken(`\`policy.${KEY}\` is ${describeType(value)}, neither true nor false.`)
}

function isAbsent(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.value === null
}

const EXPLICIT: CompactDiagnostic = Object.freeze({
  code: 'EXPLICIT_ONLY',
  severity: 'info',
  message: `Only a person can invoke the skill, since its ${AGENT_FILE} does not allow implicit invocation.`,
  hint: 'That counts as `disable-model-invocation: true`. Change the file if models should use the skill.',
})

function invalid(problem: string, explicitOnly: boolean): CompactDiagnostic {
  return {
    code: 'AGENT_FILE_INVALID',
    severity: 'warning',
    message: `${AGENT_FILE} cannot be read. ${problem}`,
    hint: explicitOnly
      ? 'Fix it. Until then only a person can invoke the skill, since the file may demand that.'
      : 'Fix it, or remove it. It has no effect until then.',
  }
}
