import type { CallConsentRequest, ConsentRequest, ConsentRunner, SkillConsentRequest } from '../../ports/consent.ts'
import type { GateMode } from '@repertoire/gate/internal'
import { type Layer, anyText, recordOf, checkOptions, showInvisible, showName } from '@repertoire/skill-md/internal'
import { textWithoutPlaces } from './request-text.ts'

/**
 * A consent request for a client, such as a web page: JSON, with invisible characters written out as `\u{…}`. Answer with
 * its `id`.
 */
export type ClientConsentRequest = ClientSkillRequest | ClientCallRequest

/** A request to activate a skill, or to execute it, without the skill's source and location. */
export interface ClientSkillRequest {
  readonly kind: 'activation' | 'execution'
  readonly id: string
  readonly skill: string
  readonly description: string
  /** What the model passes to the skill. Absent: nothing. */
  readonly args?: string
  readonly layer: Layer
  /** The beginning of the folder's SHA-256: 12 hex digits, which tell two versions apart. */
  readonly digest: string
  readonly mode: GateMode
  /** What a yes means for tools in this mode, as a sentence. */
  readonly meaning: string
  readonly tools: ClientTools
  /** What a call of the skill does at once. Absent: the skill is activated. */
  readonly execution?: {
    readonly type: string
    readonly language?: string
    readonly tools?: readonly string[]
    readonly agent?: string
    readonly model?: string
  }
  /** Relative to the skill's folder. */
  readonly scripts: readonly string[]
  readonly hooks: readonly string[]
  readonly toolsets: readonly string[]
  /** What runs the scripts. Absent: nothing does, or there are none. */
  readonly runner?: Pick<ConsentRunner, 'name' | 'isolation' | 'isolated' | 'network'>
  /** The whole request as text, without the source, the location and the runner's notes. */
  readonly text: string
}

/** The rules of a skill, in the names of the host's tools. */
export interface ClientTools {
  /** `null`: the skill has no list. */
  readonly allowed: readonly string[] | null
  /** Whether the host gave the skill this list. */
  readonly assumed: boolean
  readonly disallowed: readonly string[]
  /** Rules that none of the host's tools match. */
  readonly unmatched: readonly string[]
  /** Whether no tool could be used while the skill is active. */
  readonly leavesNone: boolean
  /** Rules that hand out all that a program can do. */
  readonly unbounded: readonly string[]
  /** What these mean together, as one sentence; `null`: there are none, or the host's policy leaves them out. */
  readonly unboundedText: string | null
}

/** A request to call a tool that the host's policy asks about. */
export interface ClientCallRequest {
  readonly kind: 'call'
  readonly id: string
  readonly tool: string
  /** What the tool would be called with, whole: the person agrees to it. */
  readonly input: unknown
  readonly rule: string
  /** The request as text; of a long input the beginning. */
  readonly text: string
}

/** How a request is prepared for a client. */
export interface ClientRequestOptions {
  /**
   * Folders of the server and the texts to show in their place, such as `{ '/srv/app': 'project' }`. They are replaced in
   * every text, inputs of calls included. A skill's own folder is replaced by `skill:` and its name without this. Default:
   * no others.
   */
  readonly folders?: Readonly<Record<string, string>> | undefined
}

const DIGEST_CHARS = 12

/**
 * Returns a consent request as data and text for a client. The source and the location of the skill, notes of the runner
 * and internal ids are left out. What the skill and the model wrote may hold paths of the server: name those in `folders`.
 * @example
 * response.json(clientConsentRequest(request, { folders: { [process.cwd()]: 'project' } }))
 */
export function clientConsentRequest(
  request: ConsentRequest,
  options: ClientRequestOptions = {},
): ClientConsentRequest {
  checkOptions<ClientRequestOptions>('clientConsentRequest', { folders: recordOf(anyText) }, options)
  const { folders = {} } = options
  if (request.skill === undefined) return callRequest(request, replacer(folders))
  return skillRequest(request, replacer({ ...folders, [request.location]: `skill:${request.skill}` }))
}

function callRequest(
  { id, tool, input, rule, text }: CallConsentRequest,
  replace: (text: string) => string,
): ClientCallRequest {
  return {
    kind: 'call',
    id,
    tool: showName(tool),
    input: asJson(input, replace),
    rule: showName(replace(rule)),
    text: replace(text),
  }
}

function skillRequest(request: SkillConsentRequest, replace: (text: string) => string): ClientSkillRequest {
  const { id, skill, description, args, layer, digest, mode, meaning, execution, runner } = request
  const prose = (text: string): string => showInvisible(replace(text))
  const named = (text: string): string => showName(replace(text))
  const names = (list: readonly string[] = []): readonly string[] => list.map(named)
  return {
    kind: execution === undefined ? 'activation' : 'execution',
    id,
    skill: showName(skill),
    description: prose(description),
    args: args === undefined ? undefined : prose(args),
    layer,
    digest: digest.slice(0, DIGEST_CHARS),
    mode,
    meaning,
    tools: {
      allowed: request.allowedTools?.map(named) ?? null,
      assumed: request.assumedTools,
      disallowed: names(request.disallowedTools),
      unmatched: names(request.unmatchedTools),
      leavesNone: request.leavesNoTool,
      unbounded: names(request.unboundedRules),
      unboundedText:
        request.unboundedText === undefined || request.unboundedDropped ? null : prose(request.unboundedText),
    },
    execution: execution && {
      type: execution.type,
      language: execution.language && named(execution.language),
      tools: execution.tools?.map(named),
      agent: execution.agent && named(execution.agent),
      model: execution.model && named(execution.model),
    },
    scripts: names(request.scripts),
    hooks: names(request.hooks),
    toolsets: names(request.toolsets),
    runner: runner && {
      name: named(runner.name),
      isolation: named(runner.isolation),
      isolated: runner.isolated,
      network: runner.network,
    },
    text: replace(textWithoutPlaces(request)),
  }
}

/** Replaces folders in a text. The longest comes first: it may be inside another. */
function replacer(folders: Readonly<Record<string, string>>): (text: string) => string {
  const entries = Object.entries(folders)
    .map(([folder, shown]) => [folder.replace(/[/\\]+$/, ''), shown] as const)
    .filter(([folder]) => folder !== '')
    .toSorted(([a], [b]) => b.length - a.length)
    .map(([folder, shown]) => [wholePath(folder), shown] as const)
  return (text) => entries.reduce((rest, [folder, shown]) => rest.replaceAll(folder, () => shown), text)
}

/** Matches a path, but not a part of a longer name: `/srv/app` is not in `/srv/apple` or `/x/srv/app`. */
function wholePath(path: string): RegExp {
  const escaped = path.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
  return new RegExp(String.raw`(?<![\w.-])${escaped}(?![\w-]|\.\w)`, 'g')
}

/** A copy as JSON, in which every text is replaced and visible. What is not JSON is `null`. */
function asJson(value: unknown, replace: (text: string) => string): unknown {
  const shown = (text: string): string => showInvisible(replace(text))
  const copy = (each: unknown): unknown => {
    if (typeof each === 'string') return shown(each)
    if (Array.isArray(each)) return each.map(copy)
    if (typeof each !== 'object' || each === null) return each
    return Object.fromEntries(Object.entries(each).map(([name, item]) => [shown(name), copy(item)]))
  }
  try {
    return copy(JSON.parse(JSON.stringify(value) ?? 'null'))
  } catch {
    return null
  }
}
