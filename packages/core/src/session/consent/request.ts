import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { showInvisible } from '../../text/escape.ts'
import { formatRule } from '../../manifest/index.ts'
import { type Unseen, unseenParts } from '../../resources/unseen.ts'
import type { ConsentRequest } from '../../ports/consent.ts'
import type { ToolCall } from '../../ports/tool.ts'
import type { InspectedSkill } from '../activation/inspect.ts'
import type { Writable } from '../writable.ts'

/** The question that an activation asks. Another session, call, input or content makes another id. */
export function consentRequest(
  session: string,
  call: ToolCall,
  prepared: InspectedSkill,
  args: string | undefined,
): ConsentRequest {
  const { skill, manifest, digest, whole, scripts, listing, files, sha256 = hashAnywhere } = prepared
  const { hooks, allowedTools, disallowedTools, toolsets } = manifest
  const about = jsonOf([session, call.id, call.input ?? null, skill.source, skill.name])
  const asked = sha256(about)
  const request: Writable<ConsentRequest> = {
    id: asked.slice(0, CALL_PART) + sha256(`${asked} ${digest}`).slice(0, FOLDER_PART),
    callId: call.id,
    session,
    skill: skill.name,
    description: manifest.description,
    layer: skill.layer,
    source: skill.source,
    location: skill.location,
    digest,
    scripts,
    hooks: [...hooks.pre, ...hooks.post],
    toolsets,
    text: '',
  }
  if (args !== undefined) request.args = args
  if (allowedTools !== undefined) request.allowedTools = allowedTools.map(formatRule)
  if (disallowedTools !== undefined) request.disallowedTools = disallowedTools.map(formatRule)
  request.text = questionText(request)
  if (!whole) request.text += `\n  note:          ${noteOn(unseenParts(listing, files))}`
  return request
}

/** Hex digits at the beginning of a question's id that the folder's digest has no part in. */
const CALL_PART = 16

/** Hex digits behind those, which are of both. */
const FOLDER_PART = 32

/** Whether two questions are about the same call with the same input, so that what differs is the folder's content. */
export function isSameCall(id: string, other: string): boolean {
  return id.slice(0, CALL_PART) === other.slice(0, CALL_PART)
}

function hashAnywhere(text: string): string {
  return bytesToHex(nobleSha256(utf8ToBytes(text)))
}

/** As JSON, the keys of objects in order: a database that keeps messages may reorder those of an input. */
function jsonOf(values: readonly unknown[]): string {
  return JSON.stringify(values, values.every(isInOrder) ? undefined : keysInOrder)
}

/** Whether there is nothing to put in order, as in most inputs: one property, and a text. */
function isInOrder(value: unknown): boolean {
  if (typeof value === 'string' || value === null) return true
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return false
  const properties: readonly unknown[] = Object.values(value)
  return properties.length === 0 || (properties.length === 1 && typeof properties[0] === 'string')
}

function keysInOrder(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Items that a question names at the most, of each kind; it says how many more there are. */
const MAX_NAMED = { rules: 100, scripts: 20, hooks: 100, toolsets: 100, unseen: 5 }

/** Characters of one text in a question at the most. */
const MAX_ITEM_CHARS = 2_000

function questionText(request: Omit<ConsentRequest, 'text'>): string {
  const { skill, args, description, layer, source, location, digest } = request
  const { allowedTools, disallowedTools = [], scripts, hooks, toolsets } = request
  // Whole tools first: what is cut from a long list must not be what grants the most.
  const rules = allowedTools?.toSorted((a, b) => Number(a.includes('(')) - Number(b.includes('(')))
  let text = `Activate the skill "${shown(skill)}"?`
  if (args !== undefined) text += `\n  arguments:     ${shown(args)}`
  text += `\n  what it says:  ${shown(description)}`
  text += `\n  from:          ${layer} layer, ${shown(source)}`
  text += `\n  folder:        ${shown(location)}`
  text += `\n  tools:         ${rules === undefined ? 'any tool (it restricts nothing)' : named(rules, MAX_NAMED.rules)}`
  if (disallowedTools.length > 0) text += `\n  but not:       ${named(disallowedTools, MAX_NAMED.rules)}`
  text += `\n  scripts:       ${named(scripts, MAX_NAMED.scripts)}`
  text += `\n  hooks:         ${named(hooks, MAX_NAMED.hooks)}`
  if (toolsets.length > 0) text += `\n  brings tools:  ${named(toolsets, MAX_NAMED.toolsets)}`
  text += `\n  sha256:        ${digest}`
  return text
}

/** Why an answer holds once, or it would be asked for anew at every activation without a word. */
function noteOn(unseen: readonly Unseen[]): string {
  const parts = unseen.slice(0, MAX_NAMED.unseen).map(({ path, reason }) => {
    return path === undefined ? reason : `${item(path)} (${shown(reason)})`
  })
  const more = unseen.length > parts.length ? ` and ${unseen.length - parts.length} more` : ''
  const held = parts.length === 0 ? '' : `: ${parts.join(', ')}${more}`
  return `the answer is for this activation alone, since the folder holds what cannot be checked${held}`
}

function named(items: readonly string[], most: number): string {
  if (items.length === 0) return 'none'
  const list = items.slice(0, most).map(item)
  return items.length > most ? `${list.join(', ')} and ${items.length - most} more` : list.join(', ')
}

/** One that holds a comma, or says "none", must not pass for several, or for none. */
function item(text: string): string {
  return /[,"]|^none$|\s/.test(text) ? `"${shown(text)}"` : shown(text)
}

function shown(text: string): string {
  const more = text.length - MAX_ITEM_CHARS
  return more > 0 ? `${showInvisible(text.slice(0, MAX_ITEM_CHARS))}… and ${more} more characters` : showInvisible(text)
}
