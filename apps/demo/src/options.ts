import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { DEFAULT_ADAPTERS, type Context, reportFile, UsageError } from 'repertoire/terminal'

/** The options as commander parses them. */
export interface RawOptions {
  readonly skills?: string
  readonly baseUrl?: string
  readonly model?: string
  readonly apiKeyEnv?: string
  readonly adapter?: readonly string[]
  readonly stream?: true
  readonly yes?: true
  readonly json?: true
  readonly long?: true
  readonly break?: string
  readonly web?: true
  readonly out?: string
}

/** Options of both modes. */
interface CommonOptions {
  readonly adapters: readonly string[]
  readonly stream: boolean
  readonly json: boolean
}

/** The story, with a scripted model. */
export interface StoryOptions extends CommonOptions {
  readonly mode: 'scripted'
  /** The adapter that gets a fault. */
  readonly broken?: string
  /** Shows the story on a page too: served on this machine, or in a file. */
  readonly page?: { readonly file?: string }
}

/** A long conversation, with a scripted model. */
export interface LongConversationOptions extends CommonOptions {
  readonly mode: 'long'
}

/** A task of the user's, with a model of the user's. */
export interface LiveOptions extends CommonOptions {
  readonly mode: 'live'
  readonly task: string
  /** Absolute. Absent: the fixture skills. */
  readonly skills?: string
  readonly baseURL: string
  readonly model: string
  readonly apiKeyEnv?: string
  readonly apiKey?: string
  /** Approves every consent request. */
  readonly yes: boolean
}

/**
 * Checks all options before anything runs.
 * @throws {UsageError} if one is invalid, with what to do about it
 */
export function resolveOptions(
  task: string | undefined,
  raw: RawOptions,
  context: Context,
): StoryOptions | LongConversationOptions | LiveOptions {
  const { baseUrl, model, stream, json } = raw
  checkPage(raw)
  const isStory = [baseUrl, model, raw.long, raw.web, raw.out].every((given) => given === undefined)
  const adapters = adaptersOf(raw.adapter, isStory, context.env)
  const common = { adapters, stream: stream === true, json: json === true }
  if (raw.break !== undefined && (baseUrl !== undefined || model !== undefined || raw.long === true))
    throw new UsageError('--break belongs to the story. Leave --long, --base-url and --model out.')
  if (baseUrl === undefined && model === undefined) {
    const [unusable] = [...(['skills', 'apiKeyEnv', 'yes'] as const).filter((key) => raw[key] !== undefined), task]
    if (unusable === undefined) {
      if (raw.long === true) return { mode: 'long', ...common }
      return { mode: 'scripted', ...common, ...brokenOf(raw.break, common.adapters), ...pageOf(raw, context.folder) }
    }
    throw new UsageError(
      'The scripted model plays its own story only. For a task or skills of your own, give --base-url and --model.',
    )
  }
  if (raw.long === true)
    throw new UsageError('--long is a conversation of the scripted model. Leave --base-url and --model out.')
  if (baseUrl === undefined)
    throw new UsageError('Give --base-url too: the address of the endpoint that has the model.')
  if (model === undefined || model === '')
    throw new UsageError('Give --model too: the name of a model that the endpoint has.')
  if (task === undefined || task.trim() === '') {
    throw new UsageError('There is no task. Give it last and in quotes: "Say what this project is."')
  }
  const apiKey = keyOf(raw.apiKeyEnv, context.env)
  return {
    mode: 'live',
    ...common,
    task,
    baseURL: addressOf(baseUrl),
    model,
    yes: raw.yes === true,
    ...(raw.skills !== undefined && { skills: folderOf(raw.skills, context.folder) }),
    ...(raw.apiKeyEnv !== undefined && { apiKeyEnv: raw.apiKeyEnv, apiKey }),
  }
}

/** Claude Code speaks no other protocol than Anthropic's, and keeps its conversation: it takes part in the story alone. */
const IN_STORY_ONLY = 'claude-agent'

function adaptersOf(raw: readonly string[] | undefined, isStory: boolean, env: Context['env']): readonly string[] {
  const hasClaudeCode = isStory && (env['CLAUDE_CODE_EXECUTABLE'] ?? '') !== ''
  const all = hasClaudeCode ? [...DEFAULT_ADAPTERS, IN_STORY_ONLY].toSorted() : DEFAULT_ADAPTERS
  const unknown = raw?.find((name) => !all.includes(name))
  if (unknown === undefined) return [...new Set(raw ?? all)]
  if (unknown !== IN_STORY_ONLY)
    throw new UsageError(`There is no adapter "${unknown}". Known are: ${DEFAULT_ADAPTERS.join(', ')}.`)
  if (!isStory) throw new UsageError(`${IN_STORY_ONLY} takes part in the story alone. Leave it out.`)
  throw new UsageError(`${IN_STORY_ONLY} needs Claude Code. Run "npm run claude-code" first.`)
}

function brokenOf(name: string | undefined, adapters: readonly string[]): Pick<StoryOptions, 'broken'> {
  if (name === undefined) return {}
  if (!adapters.includes(name))
    throw new UsageError(`--break names an adapter that takes part: ${adapters.join(', ')}. It was given "${name}".`)
  if (adapters.length === 1)
    throw new UsageError('--break needs another adapter to compare with. Leave --adapter out, or name two.')
  return { broken: name }
}

/** @throws {UsageError} if the page is asked for with another mode than the story */
function checkPage({ web, out, long, json, baseUrl, model }: RawOptions): void {
  const option = web === true ? '--web' : '--out'
  if (web === undefined && out === undefined) return
  if (web === true && out !== undefined) throw new UsageError('--web and --out do not go together. Leave one out.')
  if (json === true) throw new UsageError(`--json and ${option} do not go together. Leave one out.`)
  if (long === true) throw new UsageError(`${option} has the long conversation too. Leave --long out.`)
  if (baseUrl !== undefined || model !== undefined)
    throw new UsageError(`${option} shows the scripted model. Leave --base-url and --model out.`)
}

function pageOf({ web, out }: RawOptions, folder: string): Pick<StoryOptions, 'page'> {
  if (out !== undefined) return { page: { file: reportFile(out, folder, '--out') } }
  return web === true ? { page: {} } : {}
}

function addressOf(raw: string): string {
  const url = URL.parse(raw)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`--base-url "${raw}" is not an address. Give one such as http://localhost:11434/v1`)
  }
  if (url.username !== '' || url.password !== '' || url.search !== '') {
    throw new UsageError(
      '--base-url holds a password or a query. Give the plain address; a key goes into a variable that --api-key-env names.',
    )
  }
  const path = url.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '')
  return `${url.origin}${path}`
}

function keyOf(variable: string | undefined, env: Context['env']): string | undefined {
  if (variable === undefined) return undefined
  // The value is not repeated, since it may be the key itself.
  if (!/^[A-Za-z_]\w{0,63}$/.test(variable)) {
    throw new UsageError(
      '--api-key-env takes the name of a variable of the environment, such as OPENAI_API_KEY, and not the key itself.',
    )
  }
  const key = (Object.hasOwn(env, variable) ? (env[variable] ?? '') : '').trim()
  if (key === '')
    throw new UsageError(`The variable ${variable} is not set. Set it: export ${variable}='the key of the endpoint'`)
  if (!/^[\u0021-\u007E]+$/.test(key))
    throw new UsageError(`The variable ${variable} holds blanks or characters that no key has. Set it again.`)
  return key
}

function folderOf(raw: string, folder: string): string {
  if (raw === '')
    throw new UsageError('--skills is empty. Name the folder that holds your skills, or "." for the current one.')
  const path = resolve(folder, raw)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined)
    throw new UsageError(`There is no folder ${path}. Name with --skills the one that holds your skills.`)
  if (!stats.isDirectory())
    throw new UsageError(`${path} is not a folder. Name with --skills the one that holds your skills.`)
  return path
}
