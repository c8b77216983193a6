import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAdapterSession } from '@repertoire/core/adapter'
import { afterAll, expect, it } from 'vitest'
import * as conformance from '../../packages/conformance/src/index.ts'
import * as core from '../../packages/core/src/index.ts'
import * as node from '../../packages/core/src/node/index.ts'
import * as openTelemetry from '../../packages/core/src/opentelemetry/index.ts'
import * as library from '../../packages/library/src/index.ts'
import * as mcp from '../../packages/library/src/mcp.ts'
import * as loop from '../../packages/react-loop/src/index.ts'
import * as runners from '../../packages/runners/src/index.ts'
import * as storage from '../../packages/storage/src/index.ts'
import * as tools from '../../packages/tools/src/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'returned-objects-'))
afterAll(() => rmSync(folder, { recursive: true }))

const skills = { pdf: { 'SKILL.md': '---\nname: pdf\ndescription: Reads PDF files.\n---\nRead.' } }
const skill = {
  manifest: { name: 'pdf', description: 'Reads.' },
  definition: { type: 'instruction', content: 'Read.' },
}
const sessionSecret = 'a key of thirty-two characters...'
const baseURL = 'http://127.0.0.1:9'
const model = { model: 'm', apiKey: 'k', baseURL }
const open = () => core.openRepertoire({ sources: [core.memorySource({ layer: 'project', skills })], sessionSecret })
const session = async () => openAdapterSession(await open())
const refuse = async (): Promise<never> => {
  throw new Error('There is no server.')
}
const client: object = { isOpen: true, sendCommand: refuse, duplicate: () => client, on() {}, off() {} }
const pool = { query: refuse, connect: refuse, on() {} } as never
const storeFolder = async () => {
  const store = await library.openFileStore({ root: join(folder, 'store'), layer: 'project' })
  await store.save(skill as never)
  return (await store.get('pdf')).folder
}

/** Makes each object with methods that a public function returns. */
const OBJECTS: Readonly<Record<string, () => unknown>> = {
  repertoire: open,
  session,
  catalog: async () => (await open()).catalog,
  tiers: async () => (await open()).tiers(),
  provider: async () => (await open()).provider(),
  step: async () => (await session()).step({ tools: ['Read'] }),
  executor: () => core.createSkillExecutor(),
  'stored session': async () => core.openStoredSession(await open(), { store: core.memorySessions(), id: 'a' }),
  memorySessions: () => core.memorySessions(),
  memorySource: () => core.memorySource({ layer: 'project', skills }),
  createCounters: () => core.createCounters(),
  directorySource: () => node.directorySource({ root: folder }),
  packageSource: () => node.packageSource({ project: folder }),
  jsonLinesAudit: () => node.jsonLinesAudit({ path: join(folder, 'audit') }),
  privateMounts: () => node.privateMounts({ root: join(folder, 'mounts') }),
  moduleToolsets: () => node.moduleToolsets(),
  otelAudit: () => openTelemetry.otelAudit(),
  createReActLoop: async () => loop.createReActLoop({ model: loop.openAICompatible(model), session: await session() }),
  openAICompatible: () => loop.openAICompatible(model),
  processRunner: () => runners.processRunner(),
  virtualRunner: () => runners.virtualRunner(),
  sandboxRunner: () => runners.sandboxRunner({ name: 's', write: refuse, exec: refuse }),
  httpRequestTool: () => tools.httpRequestTool(),
  fileOperationsTool: () => tools.fileOperationsTool(),
  executeCommandTool: () => tools.executeCommandTool({ programs: ['git'] }),
  openModelEndpoint: () => conformance.openModelEndpoint(),
  openFileStore: () => library.openFileStore({ root: join(folder, 'store'), layer: 'project' }),
  'folder of a stored skill': storeFolder,
  createSkillRegistry: async () =>
    library.createSkillRegistry({ store: await library.openFileStore({ root: join(folder, 'store') }) }),
  resolveOrigin: () => library.resolveOrigin(folder),
  mcpSource: () => mcp.mcpSource({ client: refuse, label: 'docs', layer: 'project' }),
  redisEngine: () => storage.redisEngine({ client: client as never }),
  postgresEngine: () => storage.postgresEngine({ pool }),
  s3Engine: () =>
    storage.s3Engine({ client: { getObject: refuse, putObject: refuse, listObjectsV2: refuse }, bucket: 'b' }),
  openFileSessions: () => storage.openFileSessions({ path: join(folder, 'sessions') }),
}

const listener = { changed() {}, diagnostic() {} }

/** Calls a method as a watch is started, and returns what comes of it. */
async function outcomeOf(call: (given: typeof listener) => unknown): Promise<string> {
  try {
    const value = (await call(listener)) as { next?(): unknown; close?(): unknown } | null | undefined
    await value?.next?.()
    await value?.close?.()
    return 'It returned.'
  } catch (error) {
    return String(error)
  }
}

type Methods = Readonly<Record<string, unknown>>

it.each(Object.entries(OBJECTS))('[CFG-1] the methods of %s work without their object', async (_, make) => {
  const shown = (await make()) as Methods
  // A copy by spread has every method.
  const names = Object.keys(shown).filter((name) => typeof shown[name] === 'function')
  expect(names).not.toEqual([])
  for (const name of names) {
    const whole = (await make()) as Record<string, (given: unknown) => unknown>
    const { [name]: method } = (await make()) as Record<string, (given: unknown) => unknown>
    expect(`${name}: ${await outcomeOf(method!)}`).toBe(`${name}: ${await outcomeOf((given) => whole[name]!(given))}`)
  }
})
