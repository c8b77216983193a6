import type { AdapterDriver } from '@repertoire/conformance'
import { UsageError } from '../usage-error.ts'

// Each is imported when it is requested: frameworks are slow to load, and need not be installed.
const LOADERS: Readonly<Record<string, () => Promise<AdapterDriver | undefined>>> = {
  'ai-sdk': async () => (await import('@repertoire/ai-sdk/conformance')).aiSdkDriver,
  'claude-agent': async () => (await import('@repertoire/claude-agent/conformance')).claudeAgentDriver,
  langchain: async () => (await import('@repertoire/langchain/conformance')).langchainDriver,
  mastra: async () => (await import('@repertoire/mastra/conformance')).mastraDriver,
  'openai-agents': async () => (await import('@repertoire/openai-agents/conformance')).openaiAgentsDriver,
  'react-loop': async () => (await import('@repertoire/react-loop/conformance')).reactLoopDriver,
}

/** The values of `--adapter`. */
export const ADAPTER_NAMES: readonly string[] = Object.keys(LOADERS)

/** The adapters that run without `--adapter`: the suite of `claude-agent` takes a quarter of an hour. */
export const DEFAULT_ADAPTERS: readonly string[] = ADAPTER_NAMES.filter((name) => name !== 'claude-agent')

/**
 * Returns the drivers of adapters, in the order of the names.
 * @throws {UsageError} naming every adapter that is not installed, and what to install
 */
export async function loadDrivers(names: readonly string[]): Promise<readonly AdapterDriver[]> {
  const loaded = await Promise.all(names.map((name) => loadDriver(name)))
  const problems = loaded.filter((driver) => typeof driver === 'string')
  if (problems.length > 0) {
    throw new UsageError([...problems, 'To check the others alone, name them with --adapter.'].join('\n'))
  }
  return loaded.filter((driver) => typeof driver !== 'string')
}

/** Returns the driver, or a message that says why it cannot be loaded. */
async function loadDriver(name: string): Promise<AdapterDriver | string> {
  const load = Object.hasOwn(LOADERS, name) ? LOADERS[name] : undefined
  if (load === undefined) {
    throw new UsageError(`There is no adapter "${name}". Known are: ${ADAPTER_NAMES.join(', ')}.`)
  }
  const install = `Run: npm install --save-dev @repertoire/${name}, and install its framework.`
  try {
    const driver = await load()
    // Reports use the name of `--adapter`.
    if (driver !== undefined) return { ...driver, name }
    return `The adapter "${name}" that is installed has no driver, so it is of another version. ${install}`
  } catch (error) {
    if (!isMissing(error)) throw error
    return `The adapter "${name}" is not installed: ${error.message.split(' imported from ')[0]}. ${install}`
  }
}

const MISSING: ReadonlySet<unknown> = new Set(['ERR_MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED'])

/** By its code: under some test runners it is an error of another realm. */
function isMissing(error: unknown): error is { readonly message: string } {
  return MISSING.has((error as { readonly code?: unknown } | null | undefined)?.code)
}
