import { UsageError } from '../usage-error.ts'

type Vendor = 'openai' | 'anthropic' | 'gemini'

/** A model to measure, with the settings of its endpoint. */
export interface ModelChoice {
  readonly vendor: Vendor
  readonly name: string
  /** The key of the endpoint. Absent: it wants none. */
  readonly apiKey?: string
  /** The address of the endpoint. Default: the vendor's own. */
  readonly baseURL?: string
}

/** The environment variables of a vendor's settings. */
interface VendorSettings {
  /** The first one that is set counts. */
  readonly keys: readonly string[]
  readonly baseURL: string
  readonly model: string
  /** A small model at the vendor's endpoint. */
  readonly defaultModel: string
}

const VENDORS: ReadonlyMap<Vendor, VendorSettings> = new Map([
  ['openai', settings('OPENAI', 'gpt-5-mini')],
  ['anthropic', settings('ANTHROPIC', 'claude-haiku-4-5')],
  ['gemini', settings('GEMINI', 'gemini-2.5-flash', 'GOOGLE_API_KEY')],
])

/** The message if there is nothing to run. */
export const NO_MODEL = `No model was run: none of ${[...VENDORS.values()]
  .map(({ keys }) => keys.join(' / '))
  .join(', ')} is set, and no server was named with --base-url.`

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns the named models, otherwise one of every vendor whose key is set.
 * @throws {UsageError} for an invalid name, a model without a key, an invalid address, or an address without a model
 */
export function chooseModels(
  { model: named, baseUrl }: { readonly model?: readonly string[]; readonly baseUrl?: string },
  env: Environment,
): readonly ModelChoice[] {
  const wanted = named?.map(vendorAndName) ?? []
  const vendors = named === undefined ? VENDORS.keys() : new Set(wanted.map(({ vendor }) => vendor))
  const chosen: ModelChoice[] = []
  for (const vendor of vendors) {
    const names = wanted.filter((each) => each.vendor === vendor).map(({ name }) => name)
    chosen.push(...choicesOf(vendor, names, vendor === 'openai' ? baseUrl : undefined, env))
  }
  if (baseUrl !== undefined && !chosen.some(({ vendor }) => vendor === 'openai')) {
    throw new UsageError('--base-url is the address of models of openai, and none is named. Add --model openai:NAME.')
  }
  return chosen
}

/** Returns the name of a model in tables and in the JSON value. */
export function labelOf({ vendor, name }: ModelChoice): string {
  return `${vendor}:${name}`
}

/** The environment variable with a vendor's key. */
export function keyVariable(vendor: Vendor): string {
  return VENDORS.get(vendor)!.keys.join(' or ')
}

/** The variable that names a vendor's model. */
export function modelVariable(vendor: Vendor): string {
  return VENDORS.get(vendor)!.model
}

function choicesOf(vendor: Vendor, names: readonly string[], baseUrl: string | undefined, env: Environment) {
  const { keys, baseURL: baseVariable, model: variable, defaultModel } = VENDORS.get(vendor)!
  const keyName = keys.find((key) => (env[key] ?? '').trim() !== '')
  const apiKey = keyName === undefined ? undefined : env[keyName]?.trim()
  // Otherwise the key would appear in the error about an invalid header.
  if (apiKey !== undefined && !/^[!-~]+$/.test(apiKey)) {
    throw new UsageError(`${keyName} contains characters that no key has. Set it again.`)
  }
  const endpointURL = baseUrl ?? (env[baseVariable]?.trim() || undefined)
  const fromEnv = env[variable]?.trim() || undefined
  // A user's own server needs no key, and has no default model.
  const isOwnServer = vendor === 'openai' && endpointURL !== undefined
  const isRequested = names.length > 0 || baseUrl !== undefined
  if (apiKey === undefined && !isOwnServer) {
    if (!isRequested) return []
    throw new UsageError(`--model ${vendor}:${names[0]} needs a key. Set ${keys.join(' or ')}.`)
  }
  if (apiKey === undefined && !isRequested && fromEnv === undefined) return []
  const models =
    names.length > 0 ? [...new Set(names)] : [fromEnv ?? (endpointURL === undefined ? defaultModel : undefined)]
  const source = baseUrl === undefined ? baseVariable : '--base-url'
  const baseURL = endpointURL === undefined ? undefined : checkedURL(endpointURL, source)
  return models.map((name): ModelChoice => {
    if (name === undefined) {
      throw new UsageError(`${source} names a server, but not a model. Add --model ${vendor}:NAME, or set ${variable}.`)
    }
    return { vendor, name, apiKey, baseURL }
  })
}

function vendorAndName(model: string): { readonly vendor: Vendor; readonly name: string } {
  const [, vendor = '', name = ''] = /^([^:]*):(.+)$/.exec(model) ?? []
  const found = [...VENDORS.keys()].find((known) => known === vendor)
  if (found !== undefined) return { vendor: found, name }
  const known = [...VENDORS.keys()].join(', ')
  throw new UsageError(`--model ${model} does not name a model. Write VENDOR:NAME, with one of ${known} as the vendor.`)
}

function checkedURL(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    // The text is not repeated, since it may be a secret.
    throw new UsageError(`${source} is not an address. Write it as http://127.0.0.1:11434/v1.`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(`${source} holds a password, which a report could show. Set the key of the endpoint instead.`)
  }
  return text.replace(/\/+$/, '')
}

function settings(prefix: string, defaultModel: string, ...otherKeys: readonly string[]): VendorSettings {
  return {
    keys: [`${prefix}_API_KEY`, ...otherKeys],
    baseURL: `${prefix}_BASE_URL`,
    model: `${prefix}_MODEL`,
    defaultModel,
  }
}
