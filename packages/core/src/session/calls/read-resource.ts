import { isScriptOf, runLocation, scriptReason } from '@repertoire/gate/internal'
import type { Outcome } from '../../ports/outcome.ts'
import type { ToolCall } from '../../ports/tool.ts'
import { readFields } from '../../tools/skill-tools.ts'
import type { CallScope, SessionContext } from '../context.ts'
import { nearestPath, scriptToolsOf } from '../scripts/active-scripts.ts'
import { refused } from '../refusal.ts'
import { refuse } from '../refusals.ts'
import type { ActiveSkill } from '../state/state.ts'
import { enclosed, escapeXml, showName } from '@repertoire/skill-md/internal'
import { type Resource, readResource } from '../../resources/read.ts'
import { hasSkillTools } from '../../tools/styles.ts'
import { pathInsideMount } from '../activation/mount.ts'
import { hasCode } from '../../text/message.ts'

/** The largest file that is read for a model. */
const MAX_FILE_BYTES = 1024 * 1024

/** Characters of a file that a model is shown in one call. */
const MAX_SHOWN_CHARS = 60_000

/** Carries out a call of the resource tool: a file of an active skill, by its relative path, with its origin named. */
export async function readSkillResource(scope: CallScope, call: ToolCall): Promise<Outcome> {
  const { context } = scope
  const active = scope.active()
  const hostTools = scope.hostTools()
  const { readResource: tool, activate } = context.toolNames
  const read = readFields(tool, call.input, { path: 'text', skill: 'text', from: 'line', to: 'line' })
  if ('wrong' in read) return refuse.inputInvalid(read.wrong)
  const { path = '', skill: name = '', from, to } = read.values
  if (path === '') return refuse.noPath(tool, 'references/guide.md')
  // The path of a private copy, which the model was given, tells the skill.
  const mounted = active.find((candidate) => pathInsideMount(path, candidate) !== undefined)
  const requested = name || (mounted ?? active.at(-1))?.name
  const skill = active.find((candidate) => candidate.name === requested)
  if (skill === undefined) {
    const how = hasSkillTools(context.listing.style) ? undefined : activate
    return refuse.activateFirst(requested, how, 'its files are read')
  }
  const inside = pathInsideMount(path, skill) ?? path
  if (isScriptOf(skill, inside)) {
    const script = { skill: skill.name, location: runLocation(skill), path: inside }
    return refused({
      code: 'SCRIPT_READ_BLOCKED',
      reason: await scriptReason(script, scriptToolsOf(skill.name, context, active, hostTools)),
      refusedBy: { by: 'script', skill: skill.name },
    })
  }
  try {
    const resource = await readResource(await context.pinnedFolders.open(skill), inside, {
      from,
      to,
      maxBytes: MAX_FILE_BYTES,
    })
    if (resource.kind === 'text' && resource.from > Math.max(resource.to, 1)) {
      return refuse.noSuchLines(path, resource.lines)
    }
    // Recorded before the model is given it.
    const draft = { active, call, skill, path: resource.path }
    const unaudited = await context.audit?.recordIntent({ type: 'resource.read', outcome: 'succeeded', ...draft })
    return unaudited ?? { ok: true, value: resource, text: resourceText(skill.name, resource) }
  } catch (error) {
    const nearest = await nearestFile(context, skill, inside)
    if (hasCode(error, 'RESOURCE_NOT_FOUND')) return refuse.resourceNotFound(skill.name, path, nearest)
    return refuse.resourceRefused(skill.name, path, nearest, error)
  }
}

/**
 * Returns the file of a skill that a path most likely means: models name it by its absolute path, by its last part
 * alone, with the skill's name before it, or with a wrong letter.
 */
async function nearestFile(
  { pinnedFolders }: SessionContext,
  skill: ActiveSkill,
  written: string,
): Promise<string | undefined> {
  try {
    const { files } = await (await pinnedFolders.open(skill)).list()
    const others = files.flatMap(({ path }) => (path === 'SKILL.md' || path === written ? [] : [path]))
    return nearestPath(written, others)
  } catch {
    // The folder cannot be listed: reading a file says what is wrong.
    return undefined
  }
}

function resourceText(skill: string, resource: Resource): string {
  const origin = `skill="${escapeXml(showName(skill))}" path="${escapeXml(showName(resource.path))}"`
  if (resource.kind === 'binary')
    return `<skill_resource ${origin} bytes="${resource.bytes.length}">This file is binary and is not shown.</skill_resource>`
  const { text, from, to, lines } = resource
  const cut = text.length > MAX_SHOWN_CHARS
  const shown = cut ? text.slice(0, MAX_SHOWN_CHARS) : text
  return [
    `<skill_resource ${origin} lines="${from}-${to}" of="${lines}"${cut ? ' truncated="true"' : ''}>`,
    enclosed(shown).replace(/\n$/, ''),
    ...(cut ? [`Cut after ${MAX_SHOWN_CHARS} characters: ask for the next lines with \`from\`.`] : []),
    '</skill_resource>',
  ].join('\n')
}
