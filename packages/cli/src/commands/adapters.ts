import type { AdapterDriver } from '@repertoire/conformance'
import { UsageError } from '../usage-error.ts'

/** An adapter that the suite can check. */
interface Adapter {
  /** The export with its driver. */
  readonly driver: string
  /** The packages that must be installed, the adapter first. */
  readonly packages: readonly [string, ...string[]]
  /** Runs only if it is named, since its suite takes a quarter of an hour. */
  readonly isSlow?: true
  load(): Promise<AdapterDriver | undefined>
}

// Each is imported when it is requested: frameworks are slow to load, and need not be installed.
const ADAPTERS: ReadonlyMap<string, Adapter> = new Map<string, Adapter>([
  [
    'ai-sdk',
    {
      driver: 'aiSdkDriver',
      packages: ['@repertoire/ai-sdk', 'ai', '@ai-sdk/openai-compatible', '@ai-sdk/anthropic', '@ai-sdk/google'],
      load: async () => (await import('@repertoire/ai-sdk/conformance')).aiSdkDriver,
    },
  ],
  [
    'claude-agent',
    {
      driver: 'claudeAgentDriver',
      packages: ['@repertoire/claude-agent', '@anthropic-ai/claude-agent-sdk', '@modelcontextprotocol/sdk'],
      isSlow: true,
      load: async () => (await import('@repertoire/claude-agent/conformance')).claudeAgentDriver,
    },
  ],
  [
    'langchain',
    {
      driver: 'langchainDriver',
      packages: [
        '@repertoire/langchain',
        'langchain',
        '@langchain/core',
        '@langchain/langgraph',
        '@langchain/openai',
        '@langchain/anthropic',
        '@langchain/google',
      ],
      load: async () => (await import('@repertoire/langchain/conformance')).langchainDriver,
    },
  ],
  [
    'mastra',
    {
      driver: 'mastraDriver',
      packages: ['@repertoire/mastra', '@mastra/core', '@ai-sdk/anthropic', '@ai-sdk/google', 'zod'],
      load: async () => (await import('@repertoire/mastra/conformance')).mastraDriver,
    },
  ],
  [
    'openai-agents',
    {
      driver: 'openaiAgentsDriver',
      packages: ['@repertoire/openai-agents', '@openai/agents', 'openai', 'zod'],
      load: async () => (await import('@repertoire/openai-agents/conformance')).openaiAgentsDriver,
    },
  ],
  [
    'react-loop',
    {
      driver: 'reactLoopDriver',
      packages: ['@repertoire/react-loop'],
      load: async () => (await import('@repertoire/react-loop/conformance')).reactLoopDriver,
    },
  ],
])

/** The values of `--adapter`. */
export const ADAPTER_NAMES: readonly string[] = [...ADAPTERS.keys()]

/** The adapters that run without `--adapter`. */
export const DEFAULT_ADAPTERS: readonly string[] = ADAPTER_NAMES.filter((name) => ADAPTERS.get(name)?.isSlow !== true)

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
  const adapter = ADAPTERS.get(name)
  if (adapter === undefined) {
    throw new UsageError(`There is no adapter "${name}". Known are: ${ADAPTER_NAMES.join(', ')}.`)
  }
  const install = `Run: npm install --save-dev ${adapter.packages.join(' ')}`
  try {
    const driver = await adapter.load()
    // Reports use the name of `--adapter`.
    if (driver !== undefined) return { ...driver, name }
    return `The adapter "${name}" that is installed has no ${adapter.driver}, so it is of another version. ${install}`
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
