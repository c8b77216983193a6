import { FORMER_OPTIONS } from './given-options.ts'
import { DEFAULT_LAYERS } from '../catalog/precedence.ts'
import { hasSkillTools, type ListingStyle } from '../tools/styles/table.ts'
import { PROFILES } from '../manifest/index.ts'
import type { RepertoireOptions, SessionOptions } from './options.ts'
import { quoted } from '../resources/path.ts'
import type { ListSettings } from '../tools/skill-list.ts'
import type { SkillToolNames } from '../tools/definitions.ts'
import { SKILL_TOOL_PREFIX } from '../tools/skill-tool-name.ts'
import { MAX_BODY_CHARS } from '../ports/limits.ts'
import { SEARCH_MODES } from '../tools/search-tool.ts'
import { shownValue } from '../text/quote.ts'

/**
 * Checks options for callers without a compiler: an unknown profile would be a lax one, and a broken source would be
 * noticed only when its skills are missing.
 * @throws {TypeError} an option does not have the shape of `RepertoireOptions`
 */
export function checkOptions(options: RepertoireOptions): void {
  const { stateKey, cacheTtl, minReloadInterval, sectionContent, search, prepareList } = options
  checkRuntime()
  checkCatalog(options)
  if (stateKey !== undefined && typeof stateKey !== 'string') {
    throw new TypeError('`stateKey` is not a string. Give a secret as text, or leave it out.')
  }
  if (stateKey === '') {
    throw new TypeError('`stateKey` is empty, so anybody could seal a session. Give a secret, or leave it out.')
  }
  if (sectionContent !== undefined && typeof sectionContent !== 'boolean') {
    throw new TypeError('`sectionContent` is not true or false.')
  }
  if (prepareList !== undefined && typeof prepareList !== 'boolean') {
    throw new TypeError('`prepareList` is not true or false.')
  }
  if (search !== undefined && !SEARCH_MODES.includes(search)) {
    throw new TypeError(`\`search\` is ${shownValue(search)}. Give one of ${SEARCH_MODES.join(', ')}.`)
  }
  checkPorts(options)
  checkToolsets(options)
  checkFormerNames(options)
  checkTimes({ cacheTtl, minReloadInterval })
  checkTokens(options)
}

function checkTokens({ contextWindow, countTokens }: RepertoireOptions): void {
  if (contextWindow !== undefined && !(Number.isFinite(contextWindow) && contextWindow > 0)) {
    throw new TypeError(`\`contextWindow\` is ${shownValue(contextWindow)}. Give a number of tokens, more than 0.`)
  }
  if (countTokens !== undefined && typeof countTokens !== 'function') {
    throw new TypeError(`\`countTokens\` is ${shownValue(countTokens)}. Give a function of a text.`)
  }
}

/** Package managers only warn of a version that is too old, and what fails then says nothing of the reason. */
function checkRuntime(): void {
  if (typeof Promise.withResolvers === 'function') return
  throw new TypeError(
    'This runtime is too old: it has no `Promise.withResolvers`. Use Node 22.13 or later, or another runtime that has it.',
  )
}

function checkFormerNames(options: object): void {
  for (const [name, message] of Object.entries(FORMER_OPTIONS)) if (name in options) throw new TypeError(message)
}

function checkCatalog({ sources, profile, layers, collision }: RepertoireOptions): void {
  if (!Array.isArray(sources)) {
    throw new TypeError("`sources` is not a list. Give one, such as [directorySource({ root, layer: 'project' })].")
  }
  for (const [index, source] of (sources as readonly unknown[]).entries()) {
    const problem = sourceProblem(source)
    if (problem !== undefined) throw new TypeError(`\`sources[${index}]\` is not a source: ${problem}.`)
  }
  if (profile !== undefined && !PROFILES.includes(profile)) {
    throw new TypeError(`\`profile\` is ${quoted(profile)}. Give ${PROFILES.join(', ')}.`)
  }
  const unknown = layers?.find((layer) => !DEFAULT_LAYERS.includes(layer))
  if (unknown !== undefined) {
    throw new TypeError(`\`layers\` holds ${quoted(unknown)}. The layers are ${DEFAULT_LAYERS.join(', ')}.`)
  }
  if (collision !== undefined && collision !== 'first' && collision !== 'last') {
    throw new TypeError(`\`collision\` is ${quoted(collision)}. Give first or last.`)
  }
}

function sourceProblem(source: unknown): string | undefined {
  if (typeof source !== 'object' || source === null) return `it is ${source === null ? 'null' : `a ${typeof source}`}`
  const { id, layer, scan } = source as Readonly<Record<string, unknown>>
  if (typeof id !== 'string' || id === '') return 'its `id` is not a string, or empty'
  if (!(DEFAULT_LAYERS as readonly unknown[]).includes(layer))
    return `its \`layer\` is not one of ${DEFAULT_LAYERS.join(', ')}`
  return typeof scan === 'function' ? undefined : 'it has no `scan`'
}

function checkToolsets({ toolsets }: RepertoireOptions): void {
  if (toolsets === undefined) return
  if (typeof toolsets?.loader?.load !== 'function') {
    throw new TypeError('`toolsets` has no `loader`. Give `moduleToolsets()` of @repertoire/core/node, or your own.')
  }
  const unknown = Array.isArray(toolsets.layers)
    ? toolsets.layers.find((layer) => !DEFAULT_LAYERS.includes(layer))
    : 'none'
  if (unknown !== undefined) {
    throw new TypeError(
      `\`toolsets.layers\` is not a list of layers. Give those whose skills may bring tools, of ${DEFAULT_LAYERS.join(', ')}.`,
    )
  }
  checkTimeouts({ 'toolsets.callTimeout': toolsets.callTimeout })
}

function checkPorts({ hooks, hookTimeout, loadTimeout, mounts, embedder }: RepertoireOptions): void {
  if (embedder !== undefined && typeof embedder?.embed !== 'function') {
    throw new TypeError(
      '`embedder` has no `embed`. Give { embed(texts, signal) }, which returns a vector for each text.',
    )
  }
  const { bodyChars = 0 } = embedder ?? {}
  if (!Number.isSafeInteger(bodyChars) || bodyChars < 0 || bodyChars > MAX_BODY_CHARS) {
    throw new TypeError(
      `\`embedder\` has the \`bodyChars\` ${shownValue(bodyChars)}. Give a whole number from 0 to ${MAX_BODY_CHARS}, or leave it out.`,
    )
  }
  if (embedder?.embedQuery !== undefined && typeof embedder.embedQuery !== 'function') {
    throw new TypeError(
      '`embedder` has an `embedQuery` that is not a function. Leave it out, or give embedQuery(text, signal), which returns one vector.',
    )
  }
  if (hooks !== undefined && hooks !== 'scripts' && hooks !== 'commands' && typeof hooks !== 'function') {
    throw new TypeError(
      '`hooks` is not a function. Give one that runs a hook and tells what became of it, or "scripts" or "commands" where `runner` is to run them.',
    )
  }
  checkTimeouts({ hookTimeout, loadTimeout })
  if (mounts !== undefined && (typeof mounts?.mount !== 'function' || typeof mounts.unmount !== 'function')) {
    throw new TypeError(
      '`mounts` has no `mount` or no `unmount`. Give `privateMounts` of @repertoire/core/node, or both.',
    )
  }
}

function checkTimeouts(timeouts: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(timeouts)) {
    if (value !== undefined && (typeof value !== 'number' || !(value > 0))) {
      throw new TypeError(`${name} is ${shownValue(value)}. Give milliseconds, more than 0; Infinity for no limit.`)
    }
  }
}

function checkTimes(times: Readonly<Record<string, number | undefined>>): void {
  for (const [name, value] of Object.entries(times)) {
    if (value !== undefined && !(value >= 0)) {
      throw new TypeError(`${name} is ${shownValue(value)}. Give milliseconds, 0 or more; Infinity for no limit.`)
    }
  }
}

/** @throws {TypeError} a skill tool has no name, the name of another, or one that is a skill's in the style `tools` */
export function checkSkillToolNames(names: SkillToolNames, style: ListingStyle): void {
  const folded = Object.values(names).map((name: unknown) => (typeof name === 'string' ? name.toLowerCase() : ''))
  const twice = folded.find((name, index) => folded.indexOf(name) !== index)
  if (folded.includes('') || twice !== undefined) {
    const what = folded.includes('') ? 'leaves a skill tool without a name' : `names two skill tools "${twice}"`
    throw new TypeError(`\`toolNames\` ${what}. Give each a name of its own; case does not tell two apart.`)
  }
  const reserved = folded.find((name) => name.startsWith(SKILL_TOOL_PREFIX))
  if (hasSkillTools(style) && reserved !== undefined) {
    throw new TypeError(
      `\`toolNames\` names a skill tool "${reserved}". In the style \`tools\` names that begin with "${SKILL_TOOL_PREFIX}" are those of the skills: give it another.`,
    )
  }
}

/** Whether a name is one of the skill tools'. */
export function skillToolTest(
  names: SkillToolNames,
  { style, search }: Pick<ListSettings, 'style' | 'search'>,
  runsScripts: boolean,
): (name: string) => boolean {
  const own = new Set(Object.values(names).map((name) => name.toLowerCase()))
  // A host without a runner may have a tool of that name itself.
  if (!runsScripts) own.delete(names.runScript.toLowerCase())
  if (search === 'never') own.delete(names.search.toLowerCase())
  return (name) => {
    const folded = name.toLowerCase()
    return own.has(folded) || (hasSkillTools(style) && folded.startsWith(SKILL_TOOL_PREFIX))
  }
}

/**
 * Checks the lists and the signal of a session's options, for callers without a compiler: a text in the place of a list would
 * be taken for a list of its letters.
 * @throws {TypeError} an option does not have the shape of `SessionOptions`
 */
export function checkOpening({ skills, hostTools, until }: SessionOptions): void {
  if (skills !== undefined && !Array.isArray(skills)) throw notNames('skills')
  if (hostTools !== undefined && !Array.isArray(hostTools)) throw notNames('hostTools')
  if (until !== undefined && typeof (until as Partial<AbortSignal> | null)?.addEventListener !== 'function') {
    throw new TypeError(`\`until\` is ${shownValue(until)}. Give an AbortSignal, or leave it out.`)
  }
}

/**
 * Checks a session's other options, for callers without a compiler.
 * @throws {TypeError} an option does not have the shape of `SessionOptions`
 */
export function checkSessionOptions(options: SessionOptions): void {
  const { consent, match, onProblem, checkpoint, runStep } = options
  checkFunction('consent', consent)
  if (typeof match !== 'object' || match === null || Array.isArray(match)) checkFunction('match', match)
  checkFunction('onProblem', onProblem)
  checkFunction('checkpoint', checkpoint)
  if (runStep !== undefined && typeof runStep !== 'function') {
    throw new TypeError('`runStep` is not a function. Give one that carries out a call of a tool of the host.')
  }
}

function notNames(name: string): TypeError {
  return new TypeError(`\`${name}\` is not a list of names. Give one, such as ['pdf'], or leave it out.`)
}

function checkFunction(name: string, value: unknown): void {
  if (value === undefined || typeof value === 'function') return
  throw new TypeError(`\`${name}\` is ${shownValue(value)}. Give a function, or leave it out.`)
}

/** @throws {TypeError} the time is not a number above 0 */
export function checkConsentTimeout(consentTimeout: number): void {
  if (consentTimeout > 0) return
  throw new TypeError(
    `consentTimeout is ${shownValue(consentTimeout)}. Give milliseconds, more than 0; Infinity for no limit.`,
  )
}
