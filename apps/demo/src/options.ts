import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Context, DEFAULT_ADAPTERS, reportFile, UsageError } from 'repertoire/terminal'

/** The options as commander parses them. */
export interface RawOptions {
  readonly skills?: string
  readonly baseUrl?: string
  readonly model?: string
  readonly apiKeyEnv?: string
  readonly adapter?: readonly string[]
  readonly yes?: true
  readonly json?: true
  readonly break?: string
  readonly web?: true
  readonly out?: string
}

interface CommonOptions {
  readonly adapters: readonly string[]
  readonly json: boolean
}

/** The story, with a scripted model. */
export interface StoryOptions extends CommonOptions {
  readonly mode: 'story'
  /** The adapter that gets a fault. */
  readonly broken?: string
  /** Shows the story on a page too: served on this machine, or in a file. */
  readonly page?: { readonly file?: string }
}

/** A task of the user's, with a model of the user's. */
export interface TaskOptions extends CommonOptions {
  readonly mode: 'task'
  readonly task: string
  /** Absolute. Absent: the fixture skills. */
  readonly skills?: string
  readonly baseURL: string
  readonly model: string
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
  { env, folder }: Context,
): StoryOptions | TaskOptions {
  const isTask = raw.baseUrl !== undefined || raw.model !== undefined
  const common = { adapters: adaptersOf(raw.adapter, isTask, env), json: raw.json === true }
  if (!isTask) {
    if (task !== undefined || raw.skills !== undefined || raw.apiKeyEnv !== undefined || raw.yes === true)
      throw new UsageError(
        'The scripted model plays its own story only. For a task or skills of your own, give --base-url and --model.',
      )
    return {
      mode: 'story',
      ...common,
      ...(raw.break !== undefined && { broken: brokenOf(raw.break, common.adapters) }),
      ...pageOf(raw, folder),
    }
  }
  const [storyOnly] = (['break', 'web', 'out'] as const).filter((name) => raw[name] !== undefined)
  if (storyOnly !== undefined)
    throw new UsageError(`--${storyOnly} belongs to the story. Leave --base-url and --model out.`)
  if (raw.baseUrl === undefined) throw new UsageError('Give --base-url too: the address of the endpoint.')
  if (raw.model === undefined || raw.model === '')
    throw new UsageError('Give --model too: the name of a model that the endpoint has.')
  if (task === undefined || task.trim() === '')
    throw new UsageError('There is no task. Give it last and in quotes: "Say what this project is."')
  return {
    mode: 'task',
    ...common,
    task,
    baseURL: addressOf(raw.baseUrl),
    model: raw.model,
    yes: raw.yes === true,
    ...(raw.skills !== undefined && { skills: folderOf(raw.skills, folder) }),
    ...(raw.apiKeyEnv !== undefined && { apiKey: keyOf(raw.apiKeyEnv, env) }),
  }
}

/** Claude Code speaks no other protocol than Anthropic's: it takes part in the story alone. */
const IN_STORY_ONLY = 'claude-agent'

function adaptersOf(raw: readonly string[] | undefined, isTask: boolean, env: Context['env']): readonly string[] {
  const hasClaudeCode = !isTask && (env['CLAUDE_CODE_EXECUTABLE'] ?? '') !== ''
  const all = hasClaudeCode ? [...DEFAULT_ADAPTERS, IN_STORY_ONLY].toSorted() : DEFAULT_ADAPTERS
  const unknown = raw?.find((name) => !all.includes(name))
  if (unknown === undefined) return [...new Set(raw ?? all)]
  if (unknown !== IN_STORY_ONLY)
    throw new UsageError(`There is no adapter "${unknown}". Known are: ${DEFAULT_ADAPTERS.join(', ')}.`)
  if (isTask) throw new UsageError(`${IN_STORY_ONLY} takes part in the story alone. Leave it out.`)
  throw new UsageError(`${IN_STORY_ONLY} needs Claude Code. Run "npm run claude-code" first.`)
}

function brokenOf(name: string, adapters: readonly string[]): string {
  if (!adapters.includes(name))
    throw new UsageError(`--break names an adapter that takes part: ${adapters.join(', ')}. It was given "${name}".`)
  if (adapters.length === 1)
    throw new UsageError('--break needs another adapter to compare with. Leave --adapter out, or name two.')
  return name
}

function pageOf({ web, out, json }: RawOptions, folder: string): Pick<StoryOptions, 'page'> {
  if (web === undefined && out === undefined) return {}
  if (web === true && out !== undefined) throw new UsageError('--web and --out do not go together. Leave one out.')
  if (json === true) throw new UsageError(`--json and --${web === true ? 'web' : 'out'} do not go together.`)
  return { page: out === undefined ? {} : { file: reportFile(out, folder, '--out') } }
}

function addressOf(raw: string): string {
  const url = URL.parse(raw)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--base-url "${raw}" is not an address. Give one such as http://localhost:11434/v1`)
  if (url.username !== '' || url.password !== '' || url.search !== '')
    throw new UsageError(
      '--base-url holds a password or a query. Put a key into a variable, and name it --api-key-env.',
    )
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '')}`
}

function keyOf(variable: string, env: Context['env']): string {
  // The value is not repeated, since it may be the key itself.
  if (!/^[A-Za-z_]\w{0,63}$/.test(variable))
    throw new UsageError(
      '--api-key-env takes the name of an environment variable, such as OPENAI_API_KEY, not the key.',
    )
  const key = (Object.hasOwn(env, variable) ? (env[variable] ?? '') : '').trim()
  if (key === '')
    throw new UsageError(`The variable ${variable} is not set. Set it: export ${variable}='the key of the endpoint'`)
  return key
}

function folderOf(raw: string, folder: string): string {
  const path = resolve(folder, raw)
  if (raw !== '' && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return path
  throw new UsageError(`There is no folder "${raw}". Name with --skills the folder that holds your skills.`)
}
