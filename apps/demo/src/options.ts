import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ADAPTER_NAMES, type Context, UsageError } from 'repertoire/terminal'

/** The options as commander parses them. */
export interface GivenOptions {
  readonly skills?: string
  readonly baseUrl?: string
  readonly model?: string
  readonly apiKeyEnv?: string
  readonly adapter?: readonly string[]
  readonly stream?: true
  readonly yes?: true
  readonly json?: true
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
 * Looks at everything that can be looked at before anything runs.
 * @throws {UsageError} saying what to do about it
 */
export function settle(task: string | undefined, given: GivenOptions, context: Context): StoryOptions | LiveOptions {
  const { baseUrl, model, stream, json } = given
  const common = { adapters: adaptersOf(given.adapter), stream: stream === true, json: json === true }
  if (baseUrl === undefined && model === undefined) {
    const [lonely] = [...(['skills', 'apiKeyEnv', 'yes'] as const).filter((key) => given[key] !== undefined), task]
    if (lonely === undefined) return { mode: 'scripted', ...common }
    throw new UsageError(
      'The scripted model plays its own story only. For a task or skills of your own, give --base-url and --model.',
    )
  }
  if (baseUrl === undefined)
    throw new UsageError('Give --base-url too: the address of the endpoint that has the model.')
  if (model === undefined || model === '')
    throw new UsageError('Give --model too: the name of a model that the endpoint has.')
  if (task === undefined || task.trim() === '') {
    throw new UsageError('There is no task. Give it last and in quotes: "Say what this project is."')
  }
  const apiKey = keyOf(given.apiKeyEnv, context.env)
  return {
    mode: 'live',
    ...common,
    task,
    baseURL: addressOf(baseUrl),
    model,
    yes: given.yes === true,
    ...(given.skills !== undefined && { skills: folderOf(given.skills, context.folder) }),
    ...(given.apiKeyEnv !== undefined && { apiKeyEnv: given.apiKeyEnv, apiKey }),
  }
}

function adaptersOf(given: readonly string[] = ADAPTER_NAMES): readonly string[] {
  const unknown = given.find((name) => !ADAPTER_NAMES.includes(name))
  if (unknown === undefined) return [...new Set(given)]
  throw new UsageError(`There is no adapter "${unknown}". Known are: ${ADAPTER_NAMES.join(', ')}.`)
}

function addressOf(given: string): string {
  const url = URL.parse(given)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`--base-url "${given}" is not an address. Give one such as http://localhost:11434/v1`)
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
  // Said without repeating it: whoever takes this for the key itself does not want to see it on a screen.
  if (!/^[A-Za-z_]\w{0,63}$/.test(variable)) {
    throw new UsageError(
      '--api-key-env takes the name of a variable of the environment, such as OPENAI_API_KEY, and not the key itself.',
    )
  }
  const key = (Object.hasOwn(env, variable) ? (env[variable] ?? '') : '').trim()
  if (key === '')
    throw new UsageError(`The variable ${variable} is not set. Set it: export ${variable}='the key of the endpoint'`)
  if (!/^[\u0021-\u007E]+$/.test(key))
    throw new UsageError(`The variable ${variable} holds blanks or characters that no key has. Set it anew.`)
  return key
}

function folderOf(given: string, folder: string): string {
  if (given === '')
    throw new UsageError('--skills is empty. Name the folder that holds your skills, or "." for the current one.')
  const path = resolve(folder, given)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined)
    throw new UsageError(`There is no folder ${path}. Name with --skills the one that holds your skills.`)
  if (!stats.isDirectory())
    throw new UsageError(`${path} is not a folder. Name with --skills the one that holds your skills.`)
  return path
}
