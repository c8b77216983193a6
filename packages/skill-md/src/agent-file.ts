import { isSkillError } from './errors.ts'
import { readYaml } from './libraries.ts'
import { AGENT_FILE, type Manifest } from './ports/manifest.ts'
import type { SkillFolder } from './ports/skill.ts'
import type { YamlNode } from './yaml/tree.ts'

const KEY = 'allow_implicit_invocation'
const MAX_BYTES = 64 * 1024

/** Returns the manifest as the folder's file for Codex restricts it: to be invoked by a person alone. */
export async function applyAgentFile(manifest: Manifest, folder: Pick<SkillFolder, 'read'>): Promise<Manifest> {
  const restricts = !manifest.disableModelInvocation && (await forbidsModels(folder))
  return restricts ? Object.freeze({ ...manifest, disableModelInvocation: true }) : manifest
}

async function forbidsModels(folder: Pick<SkillFolder, 'read'>): Promise<boolean> {
  let text: string
  try {
    text = new TextDecoder().decode(await folder.read(AGENT_FILE, { maxBytes: MAX_BYTES }))
  } catch (error) {
    if (!isSkillError(error)) throw error
    // What cannot be read may forbid models to invoke the skill.
    return error.code !== 'RESOURCE_NOT_FOUND'
  }
  if (!text.includes(KEY)) return false
  const result = await readYaml(text, 1)
  // A slip in the file must not undo what its author forbids.
  if ('fault' in result || result.root.kind !== 'map') return true
  const policy = valueOf(result.root, 'policy')
  const allowed = policy && valueOf(policy, KEY)
  if (allowed === undefined) return policy !== undefined && policy.kind !== 'map'
  return allowed.kind !== 'scalar' || allowed.value !== true
}

function valueOf(node: YamlNode, key: string): YamlNode | undefined {
  return node.kind === 'map' ? node.entries.find((entry) => entry.key === key)?.value : undefined
}
